// count_orphans — number of nodes of a corpus without the relationship by which they belong to it
// Params  $corpus: STRING
// Returns chunks: INTEGER, entities: INTEGER, relations: INTEGER, communities: INTEGER, steps: INTEGER,
//         anchors: INTEGER, aliases: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
RETURN COUNT {
         MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
           AND NOT EXISTS { (chunk)<-[:HAS_CHUNK]-() }
       } AS chunks,
       COUNT {
         MATCH (entity:Entity) WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
           AND coalesce(entity.df, 1) > 0 AND NOT EXISTS { (entity)-[:!REFERS_TO]-() }
       } AS entities,
       COUNT {
         MATCH (relation:Relation) WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
           AND NOT EXISTS { (relation)-[:STATED_IN]->() }
       } AS relations,
       COUNT {
         MATCH (community:Community) WHERE community.corpus = $corpus AND community.id IS NOT NULL
           AND NOT EXISTS { (community)-[:CONTAINS]->() }
       } AS communities,
       COUNT {
         MATCH (step:Step) WHERE step.corpus = $corpus AND step.id IS NOT NULL AND NOT EXISTS { (step)<-[:HAS_STEP]-() }
       } AS steps,
       COUNT {
         MATCH (anchor:Anchor) WHERE anchor.corpus = $corpus AND anchor.id IS NOT NULL
           AND NOT EXISTS { (anchor)<-[:ADDED]-() }
       } AS anchors,
       COUNT {
         MATCH (alias:Alias) WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
           AND NOT EXISTS { (alias)-[:ALIAS_OF|KEPT_APART]->() }
       } AS aliases
