// find_entities — entities with the chunks that describe them and those that mention them, each list if it is short
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER, $with_mentions: BOOLEAN
// Returns id: STRING, name: STRING, df: INTEGER, titles: INTEGER, mentioning: STRING, describing: STRING
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (entity:Entity {corpus: $corpus, id: wanted})
WHERE entity.df IS NOT NULL
CALL (entity) {
  WITH entity WHERE $with_mentions AND entity.df <= $most
  MATCH (entity)<-[mention:MENTIONS]-(chunk:Chunk)
  RETURN collect(chunk.id + ' ' + toString(mention.count)) AS mentioning
}
CALL (entity) {
  WITH entity WHERE entity.titles <= $most
  MATCH (entity)<-[:DESCRIBES]-(chunk:Chunk)
  RETURN collect(chunk.id) AS describing
}
RETURN entity.id AS id, entity.name AS name, entity.df AS df, entity.titles AS titles,
       reduce(joined = '', one IN mentioning | joined + one + ' ') AS mentioning,
       reduce(joined = '', one IN describing | joined + one + ' ') AS describing
ORDER BY id
