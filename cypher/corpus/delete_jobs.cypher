// delete_jobs — delete the jobs of a corpus but the one that drops it, whatever their status
// Params  $corpus: STRING, $job: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (job:Job)
WHERE job.corpus = $corpus AND job.id <> $job
DETACH DELETE job
