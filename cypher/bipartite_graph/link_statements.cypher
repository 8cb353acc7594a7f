// link_statements — link facts to the chunks that state them, with the span in the chunk's text
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
UNWIND $rows AS row
MATCH (relation:Relation {corpus: $corpus, id: row.id})
MATCH (chunk:Chunk {corpus: $corpus, id: row.chunk})
MERGE (relation)-[statement:STATED_IN]->(chunk)
SET statement.start = row.start, statement.end = row.end
