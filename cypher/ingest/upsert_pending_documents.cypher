// upsert_pending_documents — note the chunks that documents gain and lose, before they are replaced or deleted
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
OPTIONAL MATCH (:Document {corpus: $corpus, id: row.id})-[:HAS_CHUNK]->(chunk:Chunk)
WHERE NOT chunk.id IN row.chunk_ids
WITH row, collect(chunk.id) AS lost
MATCH (corpus:Corpus {corpus: $corpus, id: $corpus})
MERGE (pending:PendingDocument {corpus: $corpus, id: row.id})
SET pending.removed = coalesce(pending.removed, []) + lost,
    pending.added = row.chunk_ids,
    pending.vectors = false,
    pending.generation = corpus.generation + 1
