// find_remains — corpora that have nodes and no node of their own, nor a restore that will make it
// Params  $job_age_ms: INTEGER
// Returns name: STRING
// Access  read
// Allows  NodeByLabelScan
CALL () {
  MATCH (state:IngestState) RETURN state.corpus AS name
  UNION
  MATCH (document:Document) RETURN document.corpus AS name
  UNION
  MATCH (chunk:Chunk) RETURN chunk.corpus AS name
  UNION
  MATCH (entity:Entity) RETURN entity.corpus AS name
  UNION
  MATCH (session:Session) RETURN session.corpus AS name
  UNION
  MATCH (step:Step) RETURN step.corpus AS name
  UNION
  MATCH (anchor:Anchor) RETURN anchor.corpus AS name
  UNION
  // one that waits may make its corpus, and one that ended lately can be looked at, as that of the deletion
  MATCH (job:Job) WHERE timestamp() - job.ended >= $job_age_ms RETURN job.corpus AS name
}
WITH name
WHERE NOT EXISTS { MATCH (:Corpus {corpus: name, id: name}) }
  AND NOT EXISTS { MATCH (state:IngestState {corpus: name, id: name}) WHERE state.restoring IS NOT NULL }
RETURN name AS name
ORDER BY name
