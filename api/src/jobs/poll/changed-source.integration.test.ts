import { describe, expect, it } from 'vitest';
import { car, cars, pollRig } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import { dueSources, withSource } from '../../sources/claim-source.ts';
import { recordPause } from '../../sources/record-poll.ts';
import { encryptSecrets } from '../../sources/source-secrets.ts';
import { parseSources } from '../../sources/source-settings.ts';
import { pollSource } from './poll-sources-job.ts';

const rig = pollRig();
const announced = async () =>
  (await rig.stored()).filter(({ announce }) => announce).map(({ external_id }) => external_id);
const change = (settings: object) =>
  ensureSources(
    rig.db.pool,
    encryptSecrets(rig.deps.encryption, parseSources(JSON.stringify([{ name: 'lot', ...settings }]), '/')),
  );

describe('a source whose settings change', () => {
  it('announces no car that was at its new address before', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    rig.rows = cars(2);
    await rig.poll();
    await ensureSources(rig.db.pool, rig.settings({ url: rig.url.replace('items', 'elsewhere') }));
    rig.rows = cars(12, 100);
    expect(await rig.poll()).toEqual([0, 10, 12]);
    expect(await rig.stored()).toHaveLength(14);
    expect(await announced()).toEqual([]);
    rig.rows.unshift(car('new'));
    await rig.poll();
    expect(await announced()).toEqual(['new']);
  });

  it('is due at once with its new key, whatever the read with the old one was answered', async () => {
    const key = (value: string) => rig.settings({ header: { name: 'x-key', value } });
    await ensureSources(rig.db.pool, key('old'));
    rig.rows = cars(2);
    rig.script = ({ message }, response) => {
      if (message.headers['x-key'] === 'new') return false;
      void ensureSources(rig.db.pool, key('new')).then(() => response.writeHead(401, { 'retry-after': '900' }).end());
      return true;
    };
    await rig.poll();
    expect(await rig.source()).toMatchObject({ failures: 0, last_error: null });
    expect(await dueSources(rig.db.pool)).toEqual(['lot']);
    expect(await pollSource(rig.deps, 'lot')).toBe(true);
    expect(await rig.stored()).toHaveLength(2);
  });

  it('is due at once although the read with the old settings waits, and goes on where that was', async () => {
    await ensureSources(rig.db.pool, rig.settings());
    await rig.due();
    await withSource(rig.db.pool, 'lot', async (claim) => {
      await ensureSources(rig.db.pool, rig.settings({ everySeconds: 30 }));
      const pause = { cursor: { reach: 7 }, againInSeconds: 9000, remark: 'Waiting.', waitsForQuota: true };
      await recordPause(rig.db.pool, claim, pause);
    });
    expect(await rig.source()).toMatchObject({ cursor: { reach: 7 }, last_error: null, last_success_at: null });
    expect(await dueSources(rig.db.pool)).toEqual(['lot']);
  });

  const feed = { kind: 'vehicle-feed', url: 'https://a.example/1' };
  const items = { kind: 'marketplace-items', url: 'https://a.example/1' };
  const api = {
    kind: 'json-feed',
    url: 'https://a.example/1',
    items: 'items',
    fields: { id: 'id', title: 'title' },
    paging: { by: 'page' },
  };
  const keys = { kind: 'ebay', clientId: 'a', clientSecret: 'b', everySeconds: 600 };
  const site = { kind: 'vehicle-pages', site: 'https://a.example' };
  it.each<[string, object, object, boolean]>([
    ['another address', feed, { url: 'https://b.example/1' }, false],
    ['another kind', feed, { kind: 'google-vehicle-feed', stores: { a: 'Boise, ID' } }, false],
    ['another interval', feed, { everySeconds: 300 }, true],
    ['another order', items, { order: 'any' }, true],
    ['another mapping', api, { fields: { id: 'vin', title: 'name' }, constants: { color: 'red' } }, true],
    ['another list', api, { items: 'used' }, false],
    ['more pages', api, { maxPages: 200 }, false],
    ['a ZIP', keys, { zip: '78701', radiusMiles: 50 }, false],
    ['new keys', keys, { clientId: 'c', clientSecret: 'd' }, true],
    ['another site', site, { site: 'https://b.example' }, false],
    ['other patterns', site, { include: ['/used/'] }, false],
    ['more pages', site, { maxPages: 700 }, false],
    ['a place', site, { place: 'Boise, ID' }, true],
  ])('%s, %j and then %j: whether its first read stays done: %j', async (_what, before, more, isDone) => {
    await change(before);
    await rig.db.pool.query(`update sources set first_read_done = true, cursor = '{"round": 1}'`);
    await change(before);
    expect(await rig.source()).toMatchObject({ first_read_done: true });
    await change({ ...before, ...more });
    expect(await rig.source()).toMatchObject({ first_read_done: isDone });
  });
});

it('a feed that was stored with settings of pages is read as a whole, and loses them without being read again', async () => {
  const feed = rig.settings({ kind: 'vehicle-feed' });
  await ensureSources(rig.db.pool, feed);
  await rig.db.pool.query(`update sources set settings = settings || '{"order": "append", "pageSize": 10}'`);
  const text = 'vehicle_id,title,price\na,2015 Toyota Camry,9000 USD\n';
  rig.script = ({ message }, response) => {
    const isKnown = message.headers['if-none-match'] === '"1"';
    response.writeHead(isKnown ? 304 : 200, { etag: '"1"' }).end(isKnown ? '' : text);
    return message.url === '/items';
  };
  await rig.poll();
  expect(await rig.stored()).toHaveLength(1);
  await ensureSources(rig.db.pool, feed);
  expect(await rig.source()).toMatchObject({ etag: '"1"', first_read_done: true, failures: 0 });
  expect((await rig.db.row('select settings from sources'))?.settings).not.toHaveProperty('order');
});

it('a source of the browser is read in the own network only while the operator allows it', async () => {
  await ensureSources(rig.db.pool, rig.settings());
  rig.rows = cars(2);
  expect(await rig.poll()).toEqual([0, 2]);
  await rig.db.pool.query(`update sources set origin = 'browser'`);
  expect(await rig.poll()).toEqual([]);
  expect((await rig.source()).last_error).toContain('inside the own network');
  expect(await rig.poll({ allowsPrivateNetwork: true })).toEqual([0]);
  await ensureSources(rig.db.pool, rig.settings({ allowPrivateNetwork: false }));
  await rig.db.pool.query(`update sources set origin = 'browser'`);
  expect(await rig.poll({ allowsPrivateNetwork: true })).toEqual([]);
});
