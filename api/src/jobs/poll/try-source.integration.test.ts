import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import { pollRig } from '../../../test/reading/poll-rig.ts';
import type { SourceSettings } from '../../sources/kinds/source-kinds.ts';
import { parseSources } from '../../sources/source-settings.ts';
import { trySource } from '../../sources/try-source.ts';
import { type FetchPage, fetchPage } from '../../vendors/web-fetch.ts';

const rig = pollRig();
const words = 'well kept '.repeat(900);
const rows = Array.from({ length: 2_600 }, (_, id) => `v${id},2017 Ford Fusion SE ${id},15000 USD,${words}`);
const feed = gzipSync(['vehicle_id,title,price,description', ...rows, ''].join('\n'));
let source: SourceSettings;
beforeEach(() => {
  const settings = { name: 'lot', kind: 'vehicle-feed', url: rig.url, allowPrivateNetwork: true };
  [source] = parseSources(JSON.stringify([settings]), '/') as [SourceSettings];
  rig.script = (_request, response) => Boolean(response.writeHead(200, { 'content-type': 'text/csv' }).end(feed));
});

it('a trial reads 20 MB of a feed at most, which is no fault of the feed', { tags: 'long' }, async () => {
  let size = 0;
  const measured: FetchPage = async (page) => {
    const answer = await fetchPage(page);
    if (answer.status === 'ok') size = answer.body.size;
    return answer;
  };
  const tried = await trySource(source, { ...rig.deps, fetchPage: measured });
  expect(tried).toMatchObject({ accepted: 1000, hasMore: true, error: null });
  expect(size).toBe(20 * 1024 * 1024);
  rig.script = (_request, response) =>
    Boolean(response.writeHead(200, { 'content-type': 'text/csv' }).end(feed.subarray(0, feed.length / 2)));
  expect((await trySource(source, { ...rig.deps, fetchPage })).error).toBeNull();
});

it('a trial ends while it reads a body that has come whole, when nobody waits for it any more', async () => {
  const gone = new AbortController();
  const closing: FetchPage = async (page) => {
    const answer = await fetchPage(page);
    gone.abort(new Error('gone'));
    return answer;
  };
  await expect(trySource(source, { ...rig.deps, fetchPage: closing, signal: gone.signal })).rejects.toThrow('gone');
});

it('a trial that nobody waits for any more says so, whatever its reader throws when it is interrupted', async () => {
  const gone = new AbortController();
  const interrupted: FetchPage = () => {
    gone.abort(new Error('gone'));
    return Promise.reject(new DOMException('This operation was aborted', 'AbortError'));
  };
  const trial = trySource(source, { ...rig.deps, fetchPage: interrupted, signal: gone.signal });
  await expect(trial).rejects.toThrow('gone');
});

it('sources are tried one after the other', async () => {
  let running = 0;
  let most = 0;
  rig.script = (_request, response) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running--;
      response
        .writeHead(200, { 'content-type': 'text/csv' })
        .end('vehicle_id,title,price\nv1,2017 Ford Fusion,9000 USD\n');
    }, 30);
    return true;
  };
  const tried = await Promise.all(Array.from({ length: 3 }, () => trySource(source, rig.deps)));
  expect(tried.map(({ accepted }) => accepted)).toEqual([1, 1, 1]);
  // The car states no place.
  expect(tried.map(({ placeless }) => placeless)).toEqual([1, 1, 1]);
  expect(most).toBe(1);
});
