// find_entities — entities in columns, with the chunks that mention them and that they title if these are not too many
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER
// Returns id: LIST<STRING>, name: LIST<STRING>, df: LIST<INTEGER>, titles: LIST<INTEGER>, small: LIST<STRING>,
//         chunks: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (entity:Entity {corpus: $corpus, id: wanted})
WHERE entity.df IS NOT NULL
CALL (entity) {
  WITH entity WHERE entity.df <= $most
  MATCH (entity)<-[:MENTIONS]-(chunk:Chunk)
  RETURN collect(chunk.id) AS mentioning
}
CALL (entity) {
  WITH entity WHERE entity.titles <= $most
  MATCH (entity)<-[:DESCRIBES]-(chunk:Chunk)
  RETURN collect(chunk.id) AS titled
}
WITH entity, mentioning + titled AS found
WITH entity, reduce(joined = '', one IN found | joined + toString(one) + ' ') AS chunks
ORDER BY entity.id
WITH collect(entity) AS entities, collect(chunks) AS lists
RETURN [one IN entities | one.id] AS id, [one IN entities | one.name] AS name, [one IN entities | one.df] AS df,
       [one IN entities | one.titles] AS titles, [one IN entities | one.small] AS small,
       reduce(joined = '', one IN lists | joined + one) AS chunks
