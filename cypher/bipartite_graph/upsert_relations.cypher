// upsert_relations — write facts, one node each
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Source  BiG-RAG, definition 2
UNWIND $rows AS row
MERGE (relation:Relation {corpus: $corpus, id: row.id})
SET relation.description = row.description, relation.type = row.type, relation.confidence = row.confidence,
    relation.weight = row.weight
