import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pollRig } from '../../../../test/reading/poll-rig.ts';
import { autoDev, autoDevListing, marketCheck, marketCheckListing } from '../../../../test/servers/listing-apis.ts';
import { ensureSources } from '../../../sources/change-sources.ts';
import type { KindBodySettings } from '../../../sources/kinds/source-kind.ts';

const rig = pollRig();
let api = autoDev('YOUR-AUTO-DEV-KEY');
const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const listings = () => rig.db.rows('select status, announce from listings');

/** Adds a source as its example file has it, but at this test's server. */
async function configure(example: string, more: object = {}) {
  const text = readFileSync(new URL(`../../../../docs/examples/sources/${example}.json`, import.meta.url), 'utf8');
  const [settings] = JSON.parse(text) as { url: string }[];
  const { pathname, search } = new URL(settings?.url ?? '');
  const here = { name: 'lot', url: new URL(pathname + search, rig.url).href, pageSize: undefined, everySeconds: 60 };
  const given = { ...settings, ...here, pauseMs: 0, ...more } as unknown as Partial<KindBodySettings>;
  await ensureSources(rig.db.pool, rig.settings(given));
  rig.script = ({ message }, response) => api.answer(message, response);
}

/** Reads once, by a clock of which each look is later. @returns how many pages were asked for */
async function slowly(stepMs = 10_000, laterMs = 0): Promise<number> {
  let at = Date.now() + laterMs;
  api.paths = [];
  const now = () => {
    at += stepMs;
    return new Date(at);
  };
  await rig.poll({ now });
  return api.paths.length;
}

describe('a slow API', () => {
  it.each(['any', 'newest-first'])(
    'in order %s is read a part at a time, each from where the last ended',
    async (order) => {
      api = autoDev('YOUR-AUTO-DEV-KEY');
      await configure('json-feed-auto-dev', { order });
      api.cars = range(210).map((id) => autoDevListing(500 - id));
      const asked: number[] = [];
      for (let parts = 0; parts < 9 && !(await rig.source()).first_read_done; parts++) {
        asked.push(await slowly());
        expect(await rig.source()).toMatchObject({ failures: 0, last_error: null });
      }
      expect(asked.length).toBeGreaterThan(2);
      expect(asked.reduce((sum, one) => sum + one)).toBe(11);
      expect(await listings()).toHaveLength(210);
      expect(await rig.source()).toMatchObject({ cursor: {}, first_read_done: true });
      expect(await rig.db.rows('select from listings where announce')).toEqual([]);
    },
  );

  it('is due at once, holds no key in its position, and begins again where that has expired', async () => {
    api = autoDev('YOUR-AUTO-DEV-KEY');
    await configure('json-feed-auto-dev', { order: 'any' });
    api.cars = range(210).map((id) => autoDevListing(500 - id));
    await slowly();
    expect((await rig.source()).seconds).toBeLessThan(1);
    expect(await rig.source()).toMatchObject({ cursor: { at: expect.stringMatching(/^v1/) } });
    rig.script = (_, response) => Boolean(response.writeHead(410).end());
    await rig.poll();
    expect(await rig.source()).toMatchObject({
      cursor: { reach: 60 },
      last_error: expect.stringMatching(/answered 410/),
    });
    rig.script = ({ message }, response) => api.answer(message, response);
    await rig.poll();
    expect(await listings()).toHaveLength(210);
  });

  describe('of which a part of the newest was read loses none that is below it', () => {
    const later = range(240).map((id) => autoDevListing(500 - id));
    const positionIs = (at: string) =>
      rig.db.pool.query(`update sources set cursor = jsonb_set(cursor, '{at}', to_jsonb($1::text))`, [at]);

    it.each<[string, () => Promise<unknown>, number]>([
      [
        'where the next page is refused',
        async () => {
          rig.script = (_, response) => Boolean(response.writeHead(429).end());
          await slowly();
          rig.script = ({ message }, response) => api.answer(message, response);
        },
        0,
      ],
      ['where its position is lost', () => rig.db.pool.query(`update sources set cursor = cursor - 'at'`), 0],
      ['where its position can not be decrypted', () => positionIs('v1.lost'), 0],
      ['where its position has another shape', () => positionIs(rig.deps.encryption.encrypt('{"page":7}')), 0],
      [
        'where a page of new cars has come meanwhile',
        async () => {
          api.cars = later;
        },
        86_400_000,
      ],
    ])('%s', async (_what, happens, laterMs) => {
      api = autoDev('YOUR-AUTO-DEV-KEY');
      await configure('json-feed-auto-dev');
      api.cars = later.slice(220);
      await rig.poll();
      expect(await rig.source()).toMatchObject({ cursor: {}, first_read_done: true });
      api.cars = later.slice(20);
      expect(await slowly()).toBeLessThan(6);
      await happens();
      for (let parts = 0; parts < 9 && 'reach' in (await rig.source()).cursor; parts++) await slowly(10_000, laterMs);
      expect(await rig.source()).toMatchObject({ cursor: {}, failures: 0 });
      expect(await listings()).toHaveLength(api.cars.length);
    });
  });

  it('that is read whole has ten minutes, and loses no car', async () => {
    api = marketCheck('YOUR-MARKETCHECK-KEY');
    await configure('json-feed-marketcheck');
    api.cars = range(60).map((id) => marketCheckListing(id));
    await rig.poll();
    api.cars = range(1000).map((id) => marketCheckListing(id));
    await slowly(60_000);
    expect((await rig.source()).last_error).toMatch(/took more than 10 minutes, so that no car is taken as gone/);
    expect(new Set((await listings()).map(({ status }) => status))).toEqual(new Set(['for_sale']));
  });
});
