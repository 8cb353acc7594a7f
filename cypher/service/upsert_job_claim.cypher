// upsert_job_claim — let a server run a job that waits or whose server has ended; no row if another one has it
// Params  $corpus: STRING, $id: STRING, $holder: STRING, $expected: STRING, $lease_ms: INTEGER
// Returns attempts: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (job:Job {corpus: $corpus, id: $id})
SET job.asked = $holder
WITH job
WHERE job.status = 'queued'
   OR (job.status = 'running' AND (job.holder = $expected OR timestamp() - job.heartbeat > $lease_ms))
SET job.status = 'running', job.holder = $holder, job.heartbeat = timestamp(), job.attempts = job.attempts + 1,
    job.started = coalesce(job.started, timestamp()), job.sequence = job.sequence + 1
REMOVE job.asked
RETURN job.attempts AS attempts
