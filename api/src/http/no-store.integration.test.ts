import { describe, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../test/browser.ts';
import { setUpApi } from '../../test/make-app.ts';
import { callTable } from '../rest/calls/table.ts';

let buyer: Browser;
const api = setUpApi({ env: { INGEST_TOKEN: 'a-token' } }, async () => {
  ({ browser: buyer } = await api.user('buyer'));
});

const calls = callTable(async () => {})
  // It would end the session of the other calls.
  .filter(({ path }) => path !== '/logout')
  .map(({ method, path }) => ({ method, path: `/api${path.replaceAll(/\{\w+\}/g, '1')}` }));
const others = [
  { method: 'POST', path: '/graphql' },
  { method: 'GET', path: '/graphql?query=%7Bme%7Bid%7D%7D' },
  { method: 'GET', path: '/m/a-token' },
  { method: 'POST', path: '/m/a-token' },
  { method: 'PUT', path: '/m/a-token' },
  { method: 'GET', path: '/confirm-email/a-token' },
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/api/nothing' },
  { method: 'POST', path: '/api/ingest/lot' },
  { method: 'POST', path: '/api/webhooks/stripe' },
  { method: 'POST', path: '/api/webhooks/twilio' },
  { method: 'GET', path: '/dev/nothing' },
];

async function keptBy(browser: Browser, { method, path }: { method: string; path: string }) {
  const body = method === 'GET' ? {} : { body: '{"query":"{ me { email } sessions { id } }"}' };
  const headers = { 'content-type': 'application/json', 'apollo-require-preflight': 'yes' };
  const answer = await browser.fetch(path, { method, headers, ...body });
  await answer.text();
  return answer.headers.get('cache-control');
}

describe('a response that may be personal is not cached', () => {
  it.each([...calls, ...others])('$method $path', async (call) => {
    expect(await keptBy(buyer, call)).toBe('no-store');
    expect(await keptBy(makeBrowser(api.url), call)).toBe('no-store');
  });
});

it.each([
  ['/assets/app-1a2b3c4d.js', 'public, max-age=31536000, immutable'],
  ['/robots.txt', 'public, max-age=3600'],
  ['/', 'no-cache'],
  ['/api/openapi.json', 'no-cache'],
])('a public file says how long it may be cached: %s', async (path, kept) => {
  expect(await keptBy(buyer, { method: 'GET', path })).toBe(kept);
});
