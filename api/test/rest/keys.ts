import { describe, expect, it } from 'vitest';
import { nameOf, rows, validBodies } from './rows.ts';
import type { Person, RequestOptions, World } from './world.ts';

/** Calls that no API key may make, whatever its scopes. Written by hand, as the rows are. */
const never = new Set([
  'POST /api/login',
  'POST /api/register',
  'POST /api/logout',
  'PATCH /api/user/profile',
  'POST /api/user/change-password',
  'POST /api/subscription',
  'GET /api/subscription/session',
  'POST /api/subscription/verify',
  'GET /api/admin/deletion-requests',
  'PATCH /api/admin/deletion-requests/{requestId}',
  'POST /api/admin/execute-deletion/{userId}',
]);
const open = rows.filter((row) => !never.has(nameOf(row)));
const readers = open.filter(({ method }) => method === 'GET');
const writers = open.filter(({ method }) => method !== 'GET');

export function keys(of: () => World): void {
  const dealers = new Map<string, Promise<{ person: Person; headers: Record<string, string> }>>();

  async function makeDealer(username: string, scopes: string) {
    const person = await of().signUp(username, 4);
    const query = `mutation { createApiKey(name: "rest", scopes: [${scopes}]) { secret } }`;
    const answer = await fetch(`${of().api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: person.cookie ?? '' },
      body: JSON.stringify({ query }),
    });
    const { data } = (await answer.json()) as { data: { createApiKey: { secret: string } } };
    return { person, headers: { authorization: `Bearer ${data.createApiKey.secret}` } };
  }
  const dealer = (username: string, scopes = 'read, write') => {
    const known = dealers.get(username) ?? makeDealer(username, scopes);
    dealers.set(username, known);
    return known;
  };
  const requestFor = (call: string, headers: Record<string, string>): RequestOptions => ({
    headers,
    id: 1,
    ...(call === 'GET /api/listings' && { query: 'alertId=1' }),
    ...(validBodies[call] && { body: validBodies[call] }),
  });

  describe('an API key', () => {
    it.each(rows)('that does not exist is refused: $method $path', async (row) => {
      const headers = { authorization: 'Bearer lw_live_nothing' };
      // Not through Prism, which refuses credentials that no security scheme allows.
      await of().refuse('UNAUTHENTICATED', nameOf(row), {
        ...requestFor(nameOf(row), headers),
        as: of().ben,
        direct: true,
      });
    });

    it.each(rows)('of another plan is refused: $method $path', async (row) => {
      const { person, headers } = await dealer('former-dealer');
      await of().api.db.pool.query('update users set plan_id = 3 where id = $1', [person.id]);
      const { body } = await of().refuse('PLAN_REQUIRED', nameOf(row), requestFor(nameOf(row), headers));
      expect(body.needsUpgrade).toBe(true);
    });

    it.each(rows.filter((row) => never.has(nameOf(row))))('is refused for $method $path', async (row) => {
      const { headers } = await dealer('full-dealer');
      const reply = await of().refuse('FORBIDDEN', nameOf(row), requestFor(nameOf(row), headers));
      expect(reply.headers.getSetCookie()).toEqual([]);
    });

    it.each(writers)('with the scope read is refused for writes: $method $path', async (row) => {
      const { headers } = await dealer('reading-dealer', 'read');
      await of().refuse('FORBIDDEN', nameOf(row), requestFor(nameOf(row), headers));
    });

    it.each(readers)('with the scope read may read: $method $path', async (row) => {
      const { headers } = await dealer('reading-dealer', 'read');
      const options = requestFor(nameOf(row), headers);
      if (row.path.includes('{id}') || options.query) await of().refuse('NOT_FOUND', nameOf(row), options);
      else await of().succeed(nameOf(row), options);
    });

    it('creates, changes and deletes its owner’s alerts, and creates one for one Idempotency-Key', async () => {
      const { headers } = await dealer('full-dealer');
      const once = { ...headers, 'idempotency-key': 'of-a-program' };
      const make = () =>
        of().succeed('POST /api/alerts', { headers: once, body: { ...validBodies['POST /api/alerts'] } });
      const { body } = await make();
      expect((await make()).body.id).toBe(body.id);
      await of().succeed('PATCH /api/alerts/{id}', { headers, id: body.id, body: { priceMax: 20_000 } });
      const mine = await of().succeed('GET /api/alerts/user', { headers });
      expect(mine.body.map((alert: { id: number; priceMax: number }) => [alert.id, alert.priceMax])).toEqual([
        [body.id, 20_000],
      ]);
      await of().succeed('DELETE /api/alerts/{id}', { headers, id: body.id });
      await of().succeed('POST /api/contact', { headers, body: validBodies['POST /api/contact'] });
    });
  });
}
