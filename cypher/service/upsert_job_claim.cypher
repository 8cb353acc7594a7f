// upsert_job_claim — let a server run a job that waits or whose server has ended; no row if another one has it
// Params  $corpus: STRING, $id: STRING, $holder: STRING, $expected: STRING, $lease_ms: INTEGER
// Returns attempts: INTEGER
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (job:Job {corpus: $corpus, id: $id})
SET job.asked = $holder
// the acknowledgement of a claim can be lost, and the claim repeated
WITH job, job.status = 'running' AND job.holder = $holder AS is_repeated
WHERE is_repeated OR job.status = 'queued'
   OR (job.status = 'running' AND (job.holder = $expected OR timestamp() - job.heartbeat > $lease_ms))
SET job.status = 'running', job.holder = $holder, job.heartbeat = timestamp(),
    job.attempts = job.attempts + CASE WHEN is_repeated THEN 0 ELSE 1 END,
    job.started = coalesce(job.started, timestamp()), job.sequence = job.sequence + 1
REMOVE job.asked
RETURN job.attempts AS attempts
