// upsert_job_cancel — cancel a job: at once if it waits, otherwise its server is told; no row if there is no such job
// Params  $corpus: STRING, $id: STRING
// Returns status: STRING
// Access  write
// Plan    NodeUniqueIndexSeek
MATCH (job:Job {corpus: $corpus, id: $id})
SET job.asked = 'cancel'
WITH job, job.status = 'queued' AS waits, job.status = 'running' AS runs
SET job.cancel = CASE WHEN waits OR runs THEN true ELSE job.cancel END,
    job.status = CASE WHEN waits THEN 'cancelled' ELSE job.status END,
    job.ended = CASE WHEN waits THEN timestamp() ELSE job.ended END,
    job.sequence = job.sequence + CASE WHEN waits THEN 1 ELSE 0 END
REMOVE job.asked
RETURN job.status AS status
