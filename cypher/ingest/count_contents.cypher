// count_contents — number of nodes and relationships of each kind, sums of their weights, and those last published
// Params  $corpus: STRING
// Returns contents: STRING, documents: INTEGER, chunks: INTEGER, entities: INTEGER,
//         mentions: INTEGER, describes: INTEGER, gain_edges: INTEGER, gain_sum: FLOAT, affinities: INTEGER,
//         affinity_sum: FLOAT, communities: INTEGER, places: INTEGER, volume_sum: FLOAT, relations: INTEGER,
//         relation_sum: FLOAT, statements: INTEGER, fact_entities: INTEGER, participants: INTEGER,
//         participant_sum: FLOAT, merges: INTEGER, merge_sum: FLOAT, kept_apart: INTEGER
// Access  read
// Plan    NodeUniqueIndexSeek
// Allows  CartesianProduct
OPTIONAL MATCH (state:IngestState {corpus: $corpus, id: $corpus})
CALL () {
  MATCH (document:Document) WHERE document.corpus = $corpus AND document.id IS NOT NULL
  RETURN count(*) AS documents, sum(COUNT { (document)-[:HAS_CHUNK]->() }) AS chunks
}
CALL () {
  MATCH (chunk:Chunk) WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
  RETURN sum(COUNT { (chunk)-[:MENTIONS]->() }) AS mentions,
         sum(COUNT { (chunk)-[:DESCRIBES]->() }) AS describes
}
CALL () {
  MATCH (entity:Entity) WHERE entity.corpus = $corpus AND entity.id IS NOT NULL
  RETURN count(entity.df) AS entities, count(entity.confidence) AS fact_entities
}
CALL () {
  MATCH (chunk:Chunk)-[edge:INFO_GAIN]->() WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
  RETURN count(*) AS gain_edges, sum(toFloat(edge.gain)) AS gain_sum
}
CALL () {
  MATCH (chunk:Chunk)-[edge:AFFINITY]->() WHERE chunk.corpus = $corpus AND chunk.id IS NOT NULL
  RETURN count(*) AS affinities, sum(toFloat(edge.weight)) AS affinity_sum
}
CALL () {
  MATCH (community:Community) WHERE community.corpus = $corpus AND community.id IS NOT NULL
    AND EXISTS { (community)-[:CONTAINS]->() }
  RETURN count(*) AS communities, sum(COUNT { (community)-[:CONTAINS]->() }) AS places,
         sum(toFloat(community.volume)) AS volume_sum
}
CALL () {
  MATCH (relation:Relation)-[stated:STATED_IN]->() WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
  WITH relation, count(stated) AS times
  RETURN count(*) AS relations, sum(toFloat(relation.confidence)) AS relation_sum, sum(times) AS statements
}
CALL () {
  MATCH (relation:Relation)<-[part:PARTICIPATES_IN]-() WHERE relation.corpus = $corpus AND relation.id IS NOT NULL
  RETURN count(*) AS participants, sum(toFloat(part.confidence)) AS participant_sum
}
CALL () {
  MATCH (alias:Alias)-[merge:ALIAS_OF]->() WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
  RETURN count(*) AS merges, sum(toFloat(merge.score)) AS merge_sum
}
CALL () {
  MATCH (alias:Alias)-[:KEPT_APART]->() WHERE alias.corpus = $corpus AND alias.id IS NOT NULL
  RETURN count(*) AS kept_apart
}
RETURN coalesce(state.contents, '') AS contents, documents AS documents, chunks AS chunks,
       entities AS entities, mentions AS mentions, describes AS describes, gain_edges AS gain_edges,
       gain_sum AS gain_sum, affinities AS affinities, affinity_sum AS affinity_sum,
       communities AS communities, places AS places, volume_sum AS volume_sum, relations AS relations,
       relation_sum AS relation_sum, statements AS statements, fact_entities AS fact_entities,
       participants AS participants, participant_sum AS participant_sum, merges AS merges,
       merge_sum AS merge_sum, kept_apart AS kept_apart
