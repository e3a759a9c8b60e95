import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { gazetteer } from '../../../../test/reading/marketplace-items.ts';
import { pollRig, type RigSettings } from '../../../../test/reading/poll-rig.ts';
import { ensureSources } from '../../../sources/change-sources.ts';

import { parseSources } from '../../../sources/source-settings.ts';
import { trySource } from '../../../sources/try-source.ts';

const rig = pollRig();
const range = (count: number) => Array.from({ length: count }, (_, index) => index);

const item = (id: string, more = '') =>
  `<item><g:id>${id}</g:id><g:store_code>A1</g:store_code><g:brand>Honda</g:brand><g:model>Civic</g:model>
   <g:year>2018</g:year><g:price>9000 USD</g:price><g:mileage>40000 miles</g:mileage>${more}</item>`;
const feed = (...items: string[]) =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>x</title>${items.join('')}</channel></rss>`;

const configure = (stores: object) =>
  ensureSources(rig.db.pool, rig.settings({ kind: 'google-vehicle-feed', stores } as unknown as Partial<RigSettings>));

/** Reads once what the source answers. @returns the error of its health */
async function read(answer: (response: ServerResponse) => unknown): Promise<string | null> {
  rig.script = (_, response) => {
    answer(response);
    return true;
  };
  await rig.poll({ gazetteer });
  return (await rig.source()).last_error;
}

const whole =
  (body: string, head = {}) =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/xml', ...head }).end(body);
const cars = () =>
  rig.db.rows('select external_id as id, status, city, missed_reads as missed from listings order by external_id');
const car = (id: string, more: object = {}) => ({ id, status: 'for_sale', city: 'Austin', missed: 0, ...more });

it('faults in turn lose no car, and the health says what happened', async () => {
  await configure({ A1: 'Austin, TX' });
  expect(await read(whole(feed(item('1'), item('2'))))).toBeNull();
  const body = feed(item('1'), item('2'), item('3'));
  const faults = [
    (response: ServerResponse) => response.writeHead(429, { 'retry-after': '90' }).end(),
    (response: ServerResponse) => response.writeHead(401).end('expired'),
    whole(''),
    whole('<!doctype html><title>Log in</title>'),
    whole('{"items": []}'),
    (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': body.length }).write(body.slice(0, -60));
      setImmediate(() => response.destroy());
    },
  ];
  const errors: (string | null)[] = [];
  for (const fault of faults) errors.push(await read(fault));
  expect(errors).toEqual([
    expect.stringMatching(/answered 429/),
    expect.stringMatching(/answered 401/),
    expect.stringMatching(/The feed is empty/),
    expect.stringMatching(/a web page, not with a feed/),
    expect.stringMatching(/answers with JSON/),
    expect.stringMatching(/broke off before its end\. Before that, 2 records were read/),
  ]);
  expect(await cars()).toEqual([car('1'), car('2')]);
  expect(await read(whole(feed(item('1'), item('2'), item('3'), item('2'))))).toBeNull();
  expect(await cars()).toEqual([car('1'), car('2'), car('3')]);
  expect(await rig.db.rows('select distinct code from quarantine')).toEqual([{ code: 'DUPLICATE_ID' }]);
});

it('a car that two complete reads lack is gone', async () => {
  await configure({ '*': 'Austin, TX' });
  await read(whole(feed(item('1'), item('2'))));
  await read(whole(feed(item('1'))));
  expect(await cars()).toEqual([car('1'), car('2', { missed: 1 })]);
  await read(whole(feed(item('1'))));
  expect(await cars()).toEqual([car('1'), expect.objectContaining({ id: '2', status: 'gone' })]);
});

it('a feed that has not changed is read again when its stores have', async () => {
  const body = feed(item('1'));
  const answer = (response: ServerResponse) => {
    const known = response.req.headers['if-none-match'] === '"v1"';
    if (known) response.writeHead(304).end();
    else whole(body, { etag: '"v1"' })(response);
  };
  await configure({});
  await read(answer);
  expect(await cars()).toEqual([]);
  expect(await rig.db.rows('select code, reason from quarantine')).toEqual([
    { code: 'BAD_PLACE', reason: expect.stringMatching(/the store A1 is not among the source’s stores/) },
  ]);
  await read(answer);
  expect(await cars()).toEqual([]);
  await configure({ A1: 'Austin, TX' });
  await read(answer);
  expect(await cars()).toEqual([car('1')]);
});

it('is tried at its address as it is, and stores nothing', async () => {
  const paths: (string | undefined)[] = [];
  rig.script = ({ message }, response) => {
    paths.push(message.url);
    whole(
      feed(
        ...range(7).map((id) => item(String(id))),
        item('x', '<g:google_product_category>919</g:google_product_category>'),
      ),
    )(response);
    return true;
  };
  const settings = { name: 'lot', kind: 'google-vehicle-feed', url: `${rig.url}?sig=1`, allowPrivateNetwork: true };
  const [source] = parseSources(JSON.stringify([{ ...settings, stores: { '*': 'Austin, TX' } }]), '/');
  if (!source) throw new Error('no source');
  const tried = await trySource(source, { ...rig.deps, gazetteer });
  expect(paths).toEqual(['/items?sig=1']);
  expect(tried.error).toBeNull();
  expect(tried.facts.map(({ externalId, city }) => `${externalId} ${city}`)).toEqual(
    range(5).map((id) => `${id} Austin`),
  );
  expect(tried.rejections).toMatchObject([{ code: 'NOT_A_CAR' }]);
  expect(await cars()).toEqual([]);
});
