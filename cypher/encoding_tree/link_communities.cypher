// link_communities — the communities that each community holds
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
UNWIND $rows AS row
MATCH (parent:Community {corpus: $corpus, id: row.parent})
UNWIND row.children AS child
MATCH (community:Community {corpus: $corpus, id: child})
MERGE (parent)-[:CONTAINS]->(community)
