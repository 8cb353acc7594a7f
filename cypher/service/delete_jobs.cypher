// delete_jobs — delete the jobs of a corpus that ended longer ago than a time
// Params  $corpus: STRING, $age_ms: INTEGER
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (job:Job)
WHERE job.corpus = $corpus AND job.id IS NOT NULL AND timestamp() - job.ended >= $age_ms
DETACH DELETE job
