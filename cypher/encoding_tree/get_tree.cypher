// get_tree — the root of the corpus' encoding tree; no row where there is none
// Params  $corpus: STRING
// Returns height: INTEGER, structural_entropy: FLOAT, one_dimensional_entropy: FLOAT, built_ratio: FLOAT,
//         changed: FLOAT, tokens: INTEGER, settings: STRING, unfinished: BOOLEAN
// Access  read
// Plan    NodeUniqueIndexSeek
MATCH (tree:EncodingTree {corpus: $corpus, id: $corpus})
RETURN tree.height AS height, tree.structural_entropy AS structural_entropy,
       tree.one_dimensional_entropy AS one_dimensional_entropy, tree.built_ratio AS built_ratio,
       tree.changed AS changed, tree.tokens AS tokens, tree.settings AS settings,
       coalesce(tree.unfinished, false) AS unfinished
