// find_redundant_documents — pairs of documents on the same entities whose chunks add little to one another
// Params  $corpus: STRING, $below: FLOAT = 0.2, $overlap: FLOAT = 0.5, $limit: INTEGER = 20
// Returns first: STRING, first_title: STRING, second: STRING, second_title: STRING, pairs: INTEGER,
//         share: FLOAT, gain: FLOAT
// Access  read
// Group   redundancy
// Plan    NodeUniqueIndexSeek
MATCH (document:Document)
WHERE document.corpus = $corpus AND document.id IS NOT NULL
MATCH (document)-[:HAS_CHUNK]->(chunk:Chunk)-[edge:INFO_GAIN]->(other:Chunk)-[back:INFO_GAIN]->(chunk)
WHERE edge.level = 'redundant' AND edge.gain <= $below AND back.level = 'redundant' AND back.gain <= $below
MATCH (other)<-[:HAS_CHUNK]-(second:Document)
WHERE document.id < second.id
WITH document, second, chunk, other, edge, back,
     COUNT { (chunk)-[:MENTIONS]->(:Entity)<-[:MENTIONS]-(other) } AS shared,
     COUNT { (chunk)-[:MENTIONS]->() } AS named, COUNT { (other)-[:MENTIONS]->() } AS also
WHERE shared > 0 AND shared >= $overlap * CASE WHEN named < also THEN named ELSE also END
WITH document, second, count(*) AS pairs, count(DISTINCT chunk) AS here, count(DISTINCT other) AS there,
     avg((edge.gain + back.gain) / 2) AS gain
WITH document, second, pairs, gain, toFloat(here) / COUNT { (document)-[:HAS_CHUNK]->() } AS of_first,
     toFloat(there) / COUNT { (second)-[:HAS_CHUNK]->() } AS of_second
RETURN document.id AS first, document.title AS first_title, second.id AS second, second.title AS second_title,
       pairs AS pairs, CASE WHEN of_first > of_second THEN of_first ELSE of_second END AS share, gain AS gain
ORDER BY share DESC, pairs DESC, gain, first, second
LIMIT $limit
