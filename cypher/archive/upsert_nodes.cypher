// upsert_nodes — write nodes of a backup by label; properties that they have already stay
// Params  $corpus: STRING, $rows: LIST<MAP>
// Returns none
// Access  write
// Allows  Eager
FOREACH (row IN [row IN $rows WHERE row.label = 'Alias'] |
  MERGE (node:Alias {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Anchor'] |
  MERGE (node:Anchor {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'BipartiteGraph'] |
  MERGE (node:BipartiteGraph {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Chunk'] |
  MERGE (node:Chunk {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Community'] |
  MERGE (node:Community {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Document'] |
  MERGE (node:Document {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'EncodingTree'] |
  MERGE (node:EncodingTree {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Entity'] |
  MERGE (node:Entity {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Extraction'] |
  MERGE (node:Extraction {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Relation'] |
  MERGE (node:Relation {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Session'] |
  MERGE (node:Session {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Step'] |
  MERGE (node:Step {corpus: $corpus, id: row.id}) SET node += row.properties)
FOREACH (row IN [row IN $rows WHERE row.label = 'Term'] |
  MERGE (node:Term {corpus: $corpus, id: row.id}) SET node += row.properties)
