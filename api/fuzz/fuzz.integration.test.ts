import { afterEach, beforeEach, expect, it } from 'vitest';
import { ADMIN_PASSWORD, makeTestApi, type TestApi } from '../test/make-app.ts';
import type { OpenApiDocument } from './read-description.ts';
import { fetchDescription, runFuzz } from './run-fuzz.ts';

let api: TestApi;
let document: OpenApiDocument;
beforeEach(async () => {
  api = await makeTestApi();
  document = await fetchDescription(api.url);
});
afterEach(() => api.close());

const parts = (over = api) => ({ url: over.url, pool: over.db.pool, adminPassword: ADMIN_PASSWORD });

for (const [requests, seed, tags] of [
  [150, 2, []],
  [600, 1, 'long'],
] as const) {
  it(`answers any request as described, ${requests} times`, {
    timeout: 120_000,
    tags: [tags].flat(),
  }, async () => {
    const { line, findings } = await runFuzz(parts(), document, { requests, seed });
    expect(findings).toEqual([]);
    expect(line.ok2xx).toBeGreaterThanOrEqual(0.4 * requests);
  });
}

it('finds a field of another type than described', { timeout: 120_000 }, async () => {
  const other = await makeTestApi();
  const wrong = structuredClone(document);
  const alert = wrong.components?.schemas?.Alert?.properties;
  if (!alert) throw new Error('the description names no Alert');
  alert.radius = { type: 'string' };
  const { line, findings } = await runFuzz(parts(other), wrong, { requests: 60, seed: 7 });
  await other.close();
  expect(line.undescribed).toBeGreaterThan(0);
  expect(findings.join('\n')).toMatch(/radius must be string/);
});
