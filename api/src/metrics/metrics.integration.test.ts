import { expect, it } from 'vitest';
import { emptyMailTables, insertAlert, insertListing, insertPlan, insertUser } from '../../test/mail/mail-fixtures.ts';
import { makeTestApi } from '../../test/make-app.ts';
import { markListings } from '../../test/matching/listing-marks.ts';
import { makePool } from '../base/database.ts';
import { freePort } from '../base/free-port.ts';
import { measured } from '../base/measured.ts';
import { makeMetrics } from './metrics.ts';

/** The value of a sample, such as `a_total{b="c"}`; undefined without one. */
const sampleOf = (text: string, sample: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${sample} `))
    ?.split(' ')
    .at(-1);

it('shows what this process did and what waits in the database, in the format of Prometheus, at the private port alone', async () => {
  const port = await freePort();
  const api = await makeTestApi({ env: { HEALTH_PORT: String(port) } });
  try {
    await emptyMailTables(api.db.pool);
    await insertPlan(api.db.pool);
    const alertId = await insertAlert(api.db.pool, await insertUser(api.db.pool));
    // A car that was first seen long ago, and is cheaper since ten seconds.
    const [seenAt, changedAt] = [3_600_000, 10_000].map((ago) => new Date(Date.now() - ago));
    await insertListing(api.db.pool, { seen_at: seenAt, changed_at: changedAt });
    await markListings(api.db.pool);
    await api.db.pool.query(
      `insert into notifications (user_id, alert_id, listing_id, due_at)
       select user_id, id, 1, now() - make_interval(secs => 90 * n) from alerts, generate_series(1, 3) n where id = $1`,
      [alertId],
    );
    await fetch(`${api.url}/healthz`);
    measured('job', { job: 'poll sources', seconds: 0.2, isFailed: true });
    measured('message', { channel: 'email', result: 'sent' });
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await answer.text();
    expect(sampleOf(text, 'lotwatch_queue_waiting{queue="email notifications"}')).toBe('3');
    expect(Number(sampleOf(text, 'lotwatch_queue_oldest_seconds{queue="email notifications"}'))).toBeCloseTo(270, -1);
    expect(sampleOf(text, 'lotwatch_queue_waiting{queue="matching"}')).toBe('1');
    expect(Number(sampleOf(text, 'lotwatch_queue_oldest_seconds{queue="matching"}'))).toBeLessThan(600);
    expect(sampleOf(text, 'lotwatch_database_reached')).toBe('1');
    expect(sampleOf(text, 'lotwatch_sockets_open')).toBe('0');
    expect(sampleOf(text, 'lotwatch_job_failures_total{job_name="poll sources"}')).toBe('1');
    expect(sampleOf(text, 'lotwatch_messages_total{channel="email",result="sent"}')).toBe('1');
    expect(sampleOf(text, 'lotwatch_request_seconds_count{kind="page",status="2xx"}')).toBe('1');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(await (await fetch(`${api.url}/metrics`)).text()).toContain('<!doctype html>');
  } finally {
    await api.close();
  }
});

it('shows what is known without the database', async () => {
  const pool = makePool('postgres://nobody@127.0.0.1:1/none', 1, 'lotwatch', 1_500);
  const metrics = makeMetrics({ db: pool, pools: { statements: pool } });
  const text = await metrics.read();
  expect(sampleOf(text, 'lotwatch_database_reached')).toBe('0');
  expect(sampleOf(text, 'lotwatch_database_connections{pool="statements",state="used"}')).toBe('0');
  expect(text).not.toContain('lotwatch_queue_waiting{');
  metrics.close();
  await pool.end();
});
