// delete_jobs — delete the jobs that ended longer ago than a time, also those of corpora that were dropped
// Params  $age_ms: INTEGER
// Returns none
// Access  write
// Plan    NodeIndexSeek
// Allows  Eager
MATCH (job:Job)
WHERE job.status IN ['done', 'failed', 'cancelled'] AND timestamp() - job.ended >= $age_ms
DETACH DELETE job
