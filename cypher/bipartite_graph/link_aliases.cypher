// link_aliases — link merged names to the entities that they denote, with the reason
// Params  $corpus: STRING, $generation: INTEGER, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
UNWIND $rows AS row
MATCH (entity:Entity {corpus: $corpus, id: row.entity})
MERGE (alias:Alias {corpus: $corpus, id: row.alias})
SET alias.name = row.name, alias.type = row.type
MERGE (alias)-[merge:ALIAS_OF {document: row.document}]->(entity)
ON CREATE SET merge.generation = $generation
SET merge.reason = row.reason, merge.score = row.score
