// upsert_restored — end a restore: from now on there is the corpus, complete
// Params  $corpus: STRING, $properties: MAP, $generation: INTEGER, $graphs: LIST<STRING>, $contents: STRING,
//         $metadata_keys: LIST<STRING>, $furniture: LIST<STRING>
// Returns generation: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct, Eager
MATCH (state:IngestState {corpus: $corpus, id: $corpus})
WHERE state.restoring IS NOT NULL
SET state.published = $generation, state.graphs = $graphs, state.metadata_keys = $metadata_keys,
    state.contents = nullIf($contents, ''), state.furniture = nullIf($furniture, [])
REMOVE state.restoring
MERGE (corpus:Corpus {corpus: $corpus, id: $corpus})
SET corpus += $properties, corpus.name = $corpus, corpus.created = datetime(), corpus.generation = $generation
RETURN corpus.generation AS generation
