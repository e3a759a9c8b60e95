import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pollRig } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';

const rig = pollRig();
const { poll, settings, source } = rig;
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotwatch-feed-'));
});
afterAll(() => rm(folder, { recursive: true }));

const feedOf = (...ids: string[]) =>
  ['vehicle_id,title,price', ...ids.map((id) => `${id},2015 Toyota Camry,9000 USD`), ''].join('\n');

async function statuses(): Promise<Record<string, string>> {
  const { rows } = await rig.db.pool.query<{ id: string; status: string }>(
    'select external_id as id, status from listings order by 1',
  );
  return Object.fromEntries(rows.map(({ id, status }) => [id, status]));
}

describe('a feed', () => {
  const answers = (text: string | null, etag = '"1"') => {
    rig.script = ({ message }, response) => {
      if (text === null) response.writeHead(500).end();
      else if (message.headers['if-none-match'] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag }).end(text);
      return true;
    };
  };

  it('is asked for whole, and retires what two complete reads do not show', async () => {
    await ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed' }));
    answers(feedOf('a', 'b', 'c'));
    await poll();
    expect(rig.asked[0]?.offset).toBe(0);
    expect(await source()).toMatchObject({ first_read_done: true, last_error: null, cursor: {} });
    answers(feedOf('a'), '"2"');
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', c: 'for_sale' });
    answers(null);
    await poll();
    answers(feedOf('a', 'b').slice(0, -20), '"3"');
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', c: 'for_sale' });
    answers(feedOf('a', 'b'), '"4"');
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', c: 'gone' });
  });

  it('counts as read again when it is unchanged, and no row of it when it is set aside', async () => {
    await ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed' }));
    answers(feedOf('a', 'b'));
    await poll();
    answers(feedOf('a', 'b').replace('b,2015 Toyota Camry', 'b,Winter tires'), '"2"');
    await poll();
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale' });
    answers(feedOf('a'), '"3"');
    await poll();
    expect(await statuses()).toMatchObject({ b: 'for_sale' });
    await poll();
    expect(await statuses()).toMatchObject({ b: 'gone' });
    expect(await source()).toMatchObject({ etag: '"3"', failures: 0 });
  });

  it('is read from a file, plain or packed, whatever its name', async () => {
    const file = join(folder, 'feed.csv');
    await ensureSources(rig.db.pool, settings({ kind: 'vehicle-feed', url: undefined, file }));
    await writeFile(file, feedOf('a', 'b'));
    await poll();
    await writeFile(file, gzipSync(feedOf('a', 'd')));
    await poll();
    expect(await statuses()).toEqual({ a: 'for_sale', b: 'for_sale', d: 'for_sale' });
    await poll();
    expect(await statuses()).toMatchObject({ b: 'gone' });
  });
});

describe('items from a file', () => {
  it('wait for the end of a line that is half written', async () => {
    const file = join(folder, 'items.ndjson');
    const line = (id: string) => JSON.stringify({ id, title: '2015 Toyota Camry', price: 9000 });
    await ensureSources(rig.db.pool, settings({ order: 'append', url: undefined, file }));
    await writeFile(file, `${line('a')}\n${line('b').slice(0, 20)}`);
    await poll();
    expect(await source()).toMatchObject({ cursor: { offset: 1 }, failures: 0 });
    await writeFile(file, `${line('a')}\n${line('b')}\nnonsense\n${line('c')}\n`);
    await poll();
    expect(await source()).toMatchObject({ cursor: { offset: 4 } });
    expect(Object.keys(await statuses())).toEqual(['a', 'b', 'c']);
    await writeFile(file, `${line('a')}\n${line('b')}\nnonsense\n${line('c')}\n${line('d')}`);
    await poll();
    expect(Object.keys(await statuses())).toEqual(['a', 'b', 'c', 'd']);
  });
});
