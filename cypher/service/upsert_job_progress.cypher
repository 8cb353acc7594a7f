// upsert_job_progress — store the progress of a running job and renew its claim; no row if another server has it
// Params  $corpus: STRING, $id: STRING, $holder: STRING, $progress: STRING, $steps: INTEGER
// Returns is_cancelled: BOOLEAN
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (job:Job {corpus: $corpus, id: $id})
SET job.asked = $holder
WITH job
WHERE job.status = 'running' AND job.holder = $holder
SET job.progress = $progress, job.heartbeat = timestamp(), job.sequence = job.sequence + $steps
REMOVE job.asked
RETURN coalesce(job.cancel, false) AS is_cancelled
