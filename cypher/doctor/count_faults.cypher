// count_faults — number of documents, chunks, nodes with wrong counts, and nodes without their place in a graph
// Params  $corpus: STRING
// Returns documents: INTEGER, chunks: INTEGER, frequencies: INTEGER, sizes: INTEGER, homeless: INTEGER,
//         weights: INTEGER, few: INTEGER, gainless: INTEGER, apart: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
RETURN COUNT {
         MATCH (document:Document) WHERE document.corpus = $corpus AND document.id IS NOT NULL
       } AS documents,
       COUNT { MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL } AS chunks,
       COUNT {
         MATCH (entity:Entity) WHERE entity.corpus = $corpus AND entity.id IS NOT NULL AND entity.df IS NOT NULL
           AND entity.df <> COUNT { (entity)<-[:MENTIONS]-() }
       } AS frequencies,
       COUNT {
         MATCH (community:Community) WHERE community.corpus = $corpus AND community.id IS NOT NULL
           AND community.size <> COUNT { (community)-[:CONTAINS]->(:Chunk) } + reduce(total = 0, size IN COLLECT {
             MATCH (community)-[:CONTAINS]->(below:Community) RETURN below.size
           } | total + size)
       } AS sizes,
       COUNT {
         MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
           AND EXISTS { (chunk)<-[:HAS_CHUNK]-() } AND NOT EXISTS { (chunk)<-[:CONTAINS]-() }
       } AS homeless,
       COUNT {
         MATCH (relation:Relation) WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
           AND EXISTS { (relation)-[:STATED_IN]->() } AND relation.weight <> COUNT { (relation)-[:STATED_IN]->() }
       } AS weights,
       COUNT {
         MATCH (relation:Relation) WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
           AND EXISTS { (relation)-[:STATED_IN]->() } AND COUNT { (relation)<-[:PARTICIPATES_IN]-() } < 2
       } AS few,
       COUNT {
         MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
           AND EXISTS { (chunk)<-[:HAS_CHUNK]-() } AND NOT EXISTS { (chunk)-[:INFO_GAIN]->() }
       } AS gainless,
       COUNT {
         MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
           AND EXISTS { (chunk)<-[:HAS_CHUNK]-() } AND NOT EXISTS { (chunk)-[:AFFINITY]-() }
       } AS apart
