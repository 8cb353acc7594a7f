// delete_jobs — delete the jobs of a corpus that do not run now
// Params  $corpus: STRING
// Returns none
// Access  write
// Plan    NodeUniqueIndexSeek
// Allows  Eager
MATCH (job:Job)
WHERE job.corpus = $corpus AND job.id IS NOT NULL AND job.status <> 'running'
DETACH DELETE job
