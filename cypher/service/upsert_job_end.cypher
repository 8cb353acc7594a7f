// upsert_job_end — store the end of a running job, or put it back into the queue; no row if another server has it
// Params  $corpus: STRING, $id: STRING, $holder: STRING, $status: STRING, $result: STRING, $problem: STRING,
//         $uncounted: INTEGER
// Returns status: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (job:Job {corpus: $corpus, id: $id})
SET job.asked = $holder
WITH job
WHERE job.status = 'running' AND job.holder = $holder
SET job.status = $status, job.sequence = job.sequence + 1, job.result = $result, job.problem = $problem,
    job.attempts = job.attempts - $uncounted,
    job.ended = CASE WHEN $status <> 'queued' THEN timestamp() END
REMOVE job.asked, job.holder, job.heartbeat
RETURN job.status AS status
