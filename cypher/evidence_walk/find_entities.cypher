// find_entities — entities in columns, with the chunks that they title and that mention them if these are not too many
// Params  $corpus: STRING, $ids: LIST<STRING>, $most: INTEGER
// Returns id: LIST<STRING>, name: LIST<STRING>, df: LIST<INTEGER>, titles: LIST<INTEGER>, small: LIST<STRING>,
//         titled: LIST<STRING>, mentioning: LIST<STRING>
// Access  read
// Plan    NodeUniqueIndexSeek
UNWIND $ids AS wanted
MATCH (entity:Entity {corpus: $corpus, id: wanted})
WHERE entity.df IS NOT NULL
WITH entity,
     CASE WHEN entity.titles <= $most THEN [(entity)<-[:DESCRIBES]-(chunk:Chunk) | chunk.id] ELSE [] END AS titled,
     CASE WHEN entity.df <= $most THEN [(entity)<-[:MENTIONS]-(chunk:Chunk) | chunk.id] ELSE [] END AS mentioning
WITH entity, reduce(joined = '', one IN titled | joined + one + ' ') AS titled,
     reduce(joined = '', one IN mentioning | joined + one + ' ') AS mentioning
ORDER BY entity.id
WITH collect(entity) AS entities, collect(titled) AS titled, collect(mentioning) AS mentioning
RETURN [one IN entities | one.id] AS id, [one IN entities | one.name] AS name, [one IN entities | one.df] AS df,
       [one IN entities | one.titles] AS titles, [one IN entities | one.small] AS small,
       titled AS titled, mentioning AS mentioning
