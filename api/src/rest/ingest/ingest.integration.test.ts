import { describe, expect, it } from 'vitest';
import { buildFacts } from '../../../test/factories.ts';
import { makeTestApi, setUpApi } from '../../../test/make-app.ts';
import { AppError } from '../../base/errors.ts';

const pushed: [string, string][] = [];
let running = 0;
let maxConcurrent = 0;
const TOKEN = 'a-push-token';
const json = { 'content-type': 'application/json' };

async function slow(source: string) {
  running += 1;
  maxConcurrent = Math.max(maxConcurrent, running);
  await new Promise((resolve) => setTimeout(resolve, 20));
  running -= 1;
  return { source, received: 0, results: [] };
}

const released = Promise.withResolvers<void>();

const api = setUpApi({
  env: { INGEST_TOKEN: TOKEN },
  ingest(source, body) {
    pushed.push([source, body]);
    if (body === 'explode') return Promise.reject(new Error('the pool is on fire'));
    if (body === 'many') return Promise.reject(new AppError('TOO_LARGE', 'At most 1,000 items at once.'));
    if (body === 'slow') return slow(source);
    if (body === 'held') return released.promise.then(() => ({ source, received: 0, results: [] }));
    return Promise.resolve({ source, received: 1, results: [{ facts: buildFacts({ mileageMiles: 50_000 }) }] });
  },
});

describe('pushing', () => {
  const push = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    source = 'dealer-1',
    method = 'POST',
  ) =>
    fetch(`${api.url}/api/ingest/${source}`, {
      method,
      ...(method === 'POST' && { body }),
      headers: { ...json, authorization: `Bearer ${TOKEN}`, ...headers },
    });

  it('stores the body and returns the result of each item', async () => {
    const response = await push('[{"id":"1"}]');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      source: 'dealer-1',
      received: 1,
      results: [{ facts: { mileage: 50_000, location: { reverse_geocode: { city: 'Pasadena', state: 'CA' } } } }],
    });
    expect(pushed.at(-1)).toEqual(['dealer-1', '[{"id":"1"}]']);
    expect((await push('{}\n{}', { 'content-type': 'application/x-ndjson' })).status).toBe(200);
  });

  it.each([
    ['UTF-8 with its mark', Buffer.from('\ufeff["é€"]')],
    ['UTF-16', Buffer.from('\ufeff["é€"]', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('["é€"]', 'utf16le')],
    ['windows-1252', Buffer.from([...Buffer.from('["'), 0xe9, 0x80, ...Buffer.from('"]')])],
  ])('reads %s as it is read where it is polled', async (_what, body) => {
    expect((await push(new Uint8Array(body))).status).toBe(200);
    expect(pushed.at(-1)).toEqual(['dealer-1', '["é€"]']);
  });

  it.each([
    ['a wrong token', () => push('[]', { authorization: 'Bearer wrong' }), 401, 'UNAUTHENTICATED'],
    ['no token', () => push('[]', { authorization: '' }), 401, 'UNAUTHENTICATED'],
    ['a bad source name', () => push('[]', {}, 'Dealer_1'), 404, 'NOT_FOUND'],
    [
      'a form',
      () => push('a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    [
      'an unknown charset',
      () => push('[]', { 'content-type': 'application/json; charset=klingon' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['more than 5 MB', () => push('x'.repeat(5 * 1024 * 1024 + 1)), 413, 'TOO_LARGE'],
    ['more than 1,000 items', () => push('many'), 413, 'TOO_LARGE'],
    ['another method', () => push('', {}, 'dealer-1', 'GET'), 405, 'METHOD_NOT_ALLOWED'],
    ['a fault of ours', () => push('explode'), 500, 'INTERNAL'],
  ])('refuses %s', async (_what, call, status, code) => {
    const response = await call();
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ code, message: expect.any(String) });
    if (status === 405) expect(response.headers.get('allow')).toBe('POST');
  });

  it('processes two pushes at a time, also after a failed one', async () => {
    await push('explode');
    const answers = await Promise.all(Array.from({ length: 8 }, () => push('slow')));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(maxConcurrent).toBe(2);
  });

  it('refuses a push with Retry-After while twenty are being processed, and accepts later ones', async () => {
    const refused: Response[] = [];
    const answers = Array.from({ length: 30 }, async () => {
      const answer = await push('held');
      if (answer.status === 503) refused.push(answer);
      return answer.status;
    });
    await expect.poll(() => refused.length).toBe(10);
    released.resolve();
    expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(20);
    expect(refused[0]?.headers.get('retry-after')).toBe('2');
    expect(await refused[0]?.json()).toMatchObject({ code: 'UNAVAILABLE' });
    expect((await push('slow')).status).toBe(200);
  });

  it('is not found without a token in the settings', async () => {
    const closed = await makeTestApi({ db: api.db });
    const response = await fetch(`${closed.url}/api/ingest/dealer-1`, { method: 'POST', headers: json, body: '[]' });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
    await closed.close();
  });
});
