// find_terms — a page of the terms of a corpus, in order of id
// Params  $corpus: STRING, $after: STRING, $limit: INTEGER
// Returns id: STRING, df: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (term:Term)
WHERE term.corpus = $corpus AND term.id > $after
WITH term ORDER BY term.corpus, term.id LIMIT $limit
RETURN term.id AS id, term.df AS df
ORDER BY id
