// upsert_renamed_documents — give documents other ids and files, and note the vectors that have to go
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct, Eager
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
UNWIND $rows AS row
MATCH (document:Document {corpus: $corpus, id: row.old})
SET document.id = row.new, document.origin = row.origin, document.source = row.source
MERGE (pending:PendingDocument {corpus: $corpus, id: row.new})
SET pending.removed = row.chunks, pending.added = [], pending.vectors = false,
    pending.generation = corpus.generation + 1
