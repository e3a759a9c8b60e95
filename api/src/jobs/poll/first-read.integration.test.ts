import { describe, expect, it } from 'vitest';
import { answerJson, car, cars, pollRig } from '../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../sources/change-sources.ts';
import type { KindBodySettings } from '../../sources/kinds/source-kind.ts';

const rig = pollRig();
const announced = async () =>
  (await rig.stored()).filter(({ announce }) => announce).map(({ external_id }) => external_id);

const feedOf = (rows: { id: string; title: string; price: number }[]) =>
  ['vehicle_id,title,price', ...rows.map(({ id, title, price }) => `${id},${title},${price} USD`), ''].join('\n');
const api = {
  kind: 'json-feed',
  items: 'items',
  fields: { id: 'id', title: 'title', price: 'price' },
  pageSize: undefined,
};
const kinds: [string, object][] = [
  ['items, the newest first', {}],
  ['items in any order', { order: 'any' }],
  ['items, the newest last', { order: 'append' }],
  ['a feed', { kind: 'vehicle-feed', pageSize: undefined }],
  ['an API without a total', api],
];
/** Adds the source, which answers with what `rig.rows` has. */
async function configure(more: object) {
  await ensureSources(rig.db.pool, rig.settings(more as Partial<KindBodySettings>));
  rig.script = ({ offset }, response) => {
    if ('items' in more) return answerJson(response, { items: rig.rows, count: rig.rows.length });
    if ('kind' in more)
      return Boolean(
        response.writeHead(200, { 'content-type': 'text/csv', etag: `"${rig.rows.length}"` }).end(feedOf(rig.rows)),
      );
    return answerJson(response, rig.rows.slice(offset, offset + 10));
  };
}

describe.each(kinds)('%s', (_, more) => {
  it('that are empty once announce no stock afterwards, and then each new car', async () => {
    await configure(more);
    await rig.poll();
    expect(await rig.source()).toMatchObject({ first_read_done: false, failures: 0, last_error: null });
    rig.rows = cars(3);
    await rig.poll();
    rig.rows = 'order' in more ? [...rig.rows, car('new')] : [car('new'), ...rig.rows];
    await rig.poll();
    expect(await rig.stored()).toHaveLength(4);
    expect(await announced()).toEqual(['new']);
  });

  it('that are empty twice announce their first car', async () => {
    await configure(more);
    await rig.poll();
    await rig.poll();
    rig.rows = [car('first')];
    await rig.poll();
    expect(await announced()).toEqual(['first']);
  });

  it('that are empty once at each of two addresses announce no stock afterwards', async () => {
    await configure(more);
    await rig.poll();
    await configure({ ...more, url: rig.url.replace('items', 'elsewhere') });
    await rig.poll();
    rig.rows = cars(3);
    await rig.poll();
    expect(await rig.stored()).toHaveLength(3);
    expect(await announced()).toEqual([]);
  });

  it('that had cars at another address announce none at the new one, however long that is empty', async () => {
    await configure(more);
    rig.rows = cars(2);
    await rig.poll();
    await configure({ ...more, url: rig.url.replace('items', 'elsewhere') });
    rig.rows = [];
    for (let reads = 0; reads < 3; reads++) await rig.poll();
    rig.rows = cars(5, 100);
    await rig.poll();
    expect(await rig.stored()).toHaveLength(7);
    expect(await announced()).toEqual([]);
  });
});

it('an API that says that it has no cars is believed at once', async () => {
  await configure({ ...api, total: 'count' });
  await rig.poll();
  rig.rows = [car('first')];
  await rig.poll();
  expect(await announced()).toEqual(['first']);
});
