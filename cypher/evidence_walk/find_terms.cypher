// find_terms — document frequencies of some terms; those that the corpus lacks are left out
// Params  $corpus: STRING, $ids: LIST<STRING>
// Returns id: STRING, df: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (term:Term {corpus: $corpus, id: wanted})
RETURN term.id AS id, term.df AS df
ORDER BY id
