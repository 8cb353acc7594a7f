// link_communities — the communities that each community holds
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
UNWIND $rows AS row
MATCH (parent:Community {corpus: $corpus, id: row.parent})
MATCH (community:Community {corpus: $corpus, id: row.id})
MERGE (parent)-[:CONTAINS]->(community)
