// count_corpus — number of nodes and relationships of each public kind in a corpus
// Params  $corpus: STRING
// Returns documents: INTEGER, chunks: INTEGER, entities: INTEGER, mentions: INTEGER, describes: INTEGER,
//         gain_edges: INTEGER, affinities: INTEGER, communities: INTEGER, relations: INTEGER, aliases: INTEGER,
//         sessions: INTEGER
// Access  read
RETURN COUNT { MATCH (document:Document) WHERE document.corpus = $corpus AND document.id IS NOT NULL } AS documents,
       COUNT { MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL } AS chunks,
       COUNT { MATCH (entity:Entity) WHERE entity.corpus = $corpus AND entity.id IS NOT NULL } AS entities,
       COUNT { MATCH (chunk:Chunk)-[:MENTIONS]->() WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL } AS mentions,
       COUNT { MATCH (chunk:Chunk)-[:DESCRIBES]->() WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL } AS describes,
       COUNT { MATCH (chunk:Chunk)-[:INFO_GAIN]->() WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL } AS gain_edges,
       COUNT { MATCH (chunk:Chunk)-[:AFFINITY]->() WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL } AS affinities,
       COUNT { MATCH (community:Community) WHERE community.corpus = $corpus AND community.id IS NOT NULL } AS communities,
       COUNT { MATCH (relation:Relation) WHERE relation.corpus = $corpus AND relation.id IS NOT NULL } AS relations,
       COUNT { MATCH (alias:Alias) WHERE alias.corpus = $corpus AND alias.id IS NOT NULL } AS aliases,
       COUNT { MATCH (session:Session) WHERE session.corpus = $corpus AND session.id IS NOT NULL } AS sessions
