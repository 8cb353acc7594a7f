// link_communities — link communities to the communities they contain
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
UNWIND $rows AS row
MATCH (parent:Community {corpus: $corpus, id: row.parent})
MATCH (community:Community {corpus: $corpus, id: row.id})
MERGE (parent)-[:CONTAINS]->(community)
