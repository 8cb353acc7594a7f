// upsert_lost_chunks — note chunks as removed, as if their document was deleted, so that vectors and graphs follow
// Params  $corpus: STRING, $note: STRING, $ids: LIST<STRING>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
MERGE (pending:PendingDocument {corpus: $corpus, id: $note})
SET pending.removed = $ids, pending.added = [], pending.vectors = false, pending.generation = corpus.generation + 1
