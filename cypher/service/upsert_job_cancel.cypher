// upsert_job_cancel — cancel a job: at once if it waits or its server was not heard of, otherwise that server is told
// Params  $corpus: STRING, $id: STRING, $lease_ms: INTEGER
// Returns status: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (job:Job {corpus: $corpus, id: $id})
SET job.asked = 'cancel'
WITH job, job.status = 'running' AS runs,
     job.status = 'queued' OR (job.status = 'running' AND timestamp() - job.heartbeat > $lease_ms) AS waits
SET job.cancel = CASE WHEN waits OR runs THEN true ELSE job.cancel END,
    job.status = CASE WHEN waits THEN 'cancelled' ELSE job.status END,
    job.ended = CASE WHEN waits THEN timestamp() ELSE job.ended END,
    job.sequence = job.sequence + CASE WHEN waits THEN 1 ELSE 0 END
REMOVE job.asked
RETURN job.status AS status
