// count_limited — chunks of some documents that pass every filter, at most a number of each
// Params  $corpus: STRING, $filters: LIST<MAP>, $most: INTEGER, $documents: INTEGER
// Returns chunks: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
WITH document, CASE coalesce(document.source, '') WHEN '' THEN document.id ELSE document.source END AS file
WHERE all(filter IN $filters WHERE
    (filter.values IS NULL OR any(value IN [] + document[filter.key] WHERE value IN filter.values))
    AND (filter.without IS NULL
      OR none(value IN [] + coalesce(document[filter.key], []) WHERE value IN filter.without))
    AND (filter.patterns IS NULL OR any(pattern IN filter.patterns WHERE file =~ pattern))
    AND (filter.without_patterns IS NULL OR none(pattern IN filter.without_patterns WHERE file =~ pattern))
    AND (filter.hidden IS NULL OR filter.hidden[document.id] IS NULL)
    AND (filter.form IS NULL OR document[filter.key] =~ filter.form)
    AND (filter.gt IS NULL OR document[filter.key] > filter.gt)
    AND (filter.gte IS NULL OR document[filter.key] >= filter.gte)
    AND (filter.lt IS NULL OR document[filter.key] < filter.lt)
    AND (filter.lte IS NULL OR document[filter.key] <= filter.lte))
WITH document, COUNT { (document)-[:HAS_CHUNK]->() } AS held WHERE held > 0
WITH document, held ORDER BY document.corpus, document.id LIMIT $documents
RETURN sum(CASE WHEN held < $most THEN held ELSE $most END) AS chunks
