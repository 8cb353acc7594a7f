// delete_statements — delete links from facts to chunks that no longer state them
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (:Relation {corpus: $corpus, id: row.id})-[statement:STATED_IN]->(chunk:Chunk)
WHERE chunk.id = row.chunk
DELETE statement
