import { expect, it } from 'vitest';
import { answerJson, cars, pollRig } from '../../../test/reading/poll-rig.ts';
import { databaseTexts } from '../../../test/rights/database-texts.ts';
import { makeEncryption } from '../../base/encryption.ts';
import { makeLog } from '../../base/log.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { encryptClearHeaders } from '../../sources/source-secrets.ts';
import { reencryptColumns } from '../renew-secrets-job.ts';

const rig = pollRig();
const TOKEN = 'zq-token-of-the-feed';
const header = { name: 'x-token', value: TOKEN };
const spellings = [TOKEN, Buffer.from(TOKEN).toString('hex'), Buffer.from(TOKEN).toString('base64').slice(0, 20)];
const leaking = (texts: readonly string[]) =>
  texts.filter((text) => spellings.some((spelling) => text.includes(spelling)));
const sent = () => rig.requests.map(({ headers }) => headers['x-token']);

it("no row, job or log line holds a source's token, however its reads end", async () => {
  const logged: string[] = [];
  const log = makeLog('test', (line) => logged.push(line));
  await ensureSources(rig.db.pool, rig.settings({ header }));
  rig.rows = cars(12);
  expect(await rig.poll({ log })).toEqual([0, 10, 12]);
  expect(sent()).toEqual([TOKEN, TOKEN, TOKEN]);
  // Records of no car are quarantined unchanged.
  rig.script = (_request, response) => answerJson(response, [{ id: 'x', title: 'A sofa', price: 1 }, { id: 'y' }]);
  await rig.poll({ log });
  for (const status of [401, 500, 302]) {
    rig.script = (_request, response) =>
      Boolean(response.writeHead(status, { location: 'http://169.254.169.254/' }).end('no'));
    await rig.poll({ log });
  }
  rig.script = (_request, response) => Boolean(response.writeHead(200).end('{"items": [{'));
  await rig.poll({ log });
  await rig
    .poll({
      log,
      storeListings: () => Promise.reject(new Error('the disk is full')),
    })
    .catch((error: unknown) => log.error('poll failed', { error }));
  expect((await rig.source()).failures).toBeGreaterThan(0);
  expect(logged.length).toBeGreaterThanOrEqual(4);
  const rows = await databaseTexts(rig.db.pool);
  expect(rows.some((row) => row.includes('quarantine') && row.includes('sofa'))).toBe(true);
  expect(rows.filter((row) => row.includes('x-token'))).toHaveLength(1);
  expect(leaking([...rows, ...logged])).toEqual([]);
});

it('a token that an earlier version wrote in clear is encrypted at the next start', async () => {
  await ensureSources(rig.db.pool, rig.settings());
  await rig.db.pool.query(`update sources set settings = settings || jsonb_build_object('header', $1::jsonb)`, [
    JSON.stringify(header),
  ]);
  expect(leaking(await databaseTexts(rig.db.pool))).toHaveLength(1);
  expect(await encryptClearHeaders(rig.db.pool, rig.deps.encryption)).toBe(1);
  expect(await encryptClearHeaders(rig.db.pool, rig.deps.encryption)).toBe(0);
  expect(leaking(await databaseTexts(rig.db.pool))).toEqual([]);
  rig.rows = cars(2);
  await rig.poll();
  expect([...new Set(sent())]).toEqual([TOKEN]);
});

it('a source whose token was encrypted with another secret is not read without it, and its error names the remedy', async () => {
  await ensureSources(rig.db.pool, rig.settings({ header }));
  expect(await rig.poll({ encryption: makeEncryption('another secret', 'source headers') })).toEqual([]);
  const { failures, last_error } = await rig.source();
  expect([failures, last_error]).toEqual([
    1,
    "The header x-token can't be read, as SESSION_SECRET is another one now: name the source in SOURCES_FILE again, or enter it again on the admin’s page.",
  ]);
});

it('a token is encrypted again when the secret changes, and sent all the while', async () => {
  await ensureSources(rig.db.pool, rig.settings({ header }));
  const both = makeEncryption(['the next secret', 'a secret of this test'], 'source headers');
  const renew = () =>
    reencryptColumns(
      rig.db.pool,
      { webhooks: both, second_factors: both, sources: both, source_accounts: both, vapid_keys: both },
      new AbortController().signal,
    );
  rig.rows = cars(2);
  await rig.poll({ encryption: both });
  expect(await renew()).toEqual({ renewed: 1, unreadable: 0 });
  expect(await renew()).toEqual({ renewed: 0, unreadable: 0 });
  await rig.poll({ encryption: makeEncryption('the next secret', 'source headers') });
  expect([...new Set(sent())]).toEqual([TOKEN]);
});
