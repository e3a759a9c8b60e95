import { afterAll, beforeAll, expect, it } from 'vitest';
import { ADMIN_PASSWORD, makeTestApi, type TestApi } from '../test/make-app.ts';
import type { OpenApiDocument } from './description/schema.ts';
import { fetchDescription, runFuzz } from './run-fuzz.ts';

const REQUESTS = 600;
let api: TestApi;
let document: OpenApiDocument;
beforeAll(async () => {
  api = await makeTestApi();
  document = await fetchDescription(api.url);
});
afterAll(() => api.close());

const parts = (over = api) => ({ url: over.url, pool: over.db.pool, adminPassword: ADMIN_PASSWORD });

it('answers whatever is asked as it is described', { timeout: 120_000 }, async () => {
  const { line, findings } = await runFuzz(parts(), document, { requests: REQUESTS, seed: 1 });
  expect(findings).toEqual([]);
  expect(line.ok2xx).toBeGreaterThanOrEqual(0.4 * REQUESTS);
});

it('finds a field that has another type than is described', { timeout: 120_000 }, async () => {
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
