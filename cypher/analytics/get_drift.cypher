// get_drift — how far the themes have drifted since the encoding tree was made
// Params  $corpus: STRING
// Returns themes: INTEGER, outside: INTEGER, saved_when_built: FLOAT, saved_now: FLOAT, drift: FLOAT,
//         changed: FLOAT
// Access  read
// Group   growth
// Plan    NodeUniqueIndexSeek
MATCH (tree:EncodingTree {corpus: $corpus, id: $corpus})
WITH tree, CASE tree.one_dimensional_entropy WHEN 0.0 THEN 1.0
                ELSE tree.structural_entropy / tree.one_dimensional_entropy END AS ratio
RETURN COUNT { MATCH (theme:Community) WHERE theme.corpus = $corpus AND theme.id IS NOT NULL } AS themes,
       COUNT {
         MATCH (chunk:Chunk)
         WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL AND NOT EXISTS { (chunk)<-[:CONTAINS]-() }
       } AS outside,
       1 - tree.built_ratio AS saved_when_built, 1 - ratio AS saved_now,
       CASE tree.one_dimensional_entropy WHEN 0.0 THEN 0.0 ELSE ratio / tree.built_ratio - 1 END AS drift,
       toFloat(tree.changed) AS changed
