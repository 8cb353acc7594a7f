// delete_corpus — delete the node of a corpus and the state of its ingest; the last step of dropping a corpus
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
OPTIONAL MATCH (state:IngestState {corpus: $corpus, id: $corpus})
DETACH DELETE corpus, state
