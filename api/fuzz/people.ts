import type { Pool } from '../src/base/database.ts';
import { storeCars } from '../test/factories.ts';
import type { Role } from './drafts.ts';
import type { Operation } from './read-description.ts';
import { type Request, send, type TimedAnswer } from './send.ts';

export interface Person {
  username: string;
  password: string;
  cookie: string;
  /** The first is never deleted. */
  alerts: number[];
}

/** The records that requests can name, as learnt from answers. */
export interface World {
  url: string;
  people: Record<Exclude<Role, 'visitor'>, Person>;
  /** Cars that match the first alert of everyone. */
  cars: number[];
  /** Deletion requests that are not decided, and people whose deletion is approved. */
  pending: string[];
  approved: number[];
  /** Updates the records by an answer. */
  learn(role: Role, operation: Operation, request: Request, answer: TimedAnswer): Promise<void>;
}

export interface WorldParts {
  url: string;
  pool: Pool;
  adminPassword: string;
}

const json = { 'content-type': 'application/json' };
const CARS = 30;
const FEW_REQUESTS = 4;
const ELITE = 4;

async function ask<T>(url: string, path: string, body: object, cookie?: string): Promise<{ cookie: string; body: T }> {
  const headers = { ...json, ...(cookie && { cookie }) };
  const answer = await send(url, { method: 'POST', path, headers, body: JSON.stringify(body) });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return { cookie: answer.setCookie ?? cookie ?? '', body: JSON.parse(answer.text) as T };
}

/** Makes two people on the largest plan, one of them the admin, one on Free, and cars that match their alerts. */
export async function makeWorld({ url, pool, adminPassword }: WorldParts): Promise<World> {
  const signIn = async ({ username, password }: { username: string; password: string }): Promise<string> =>
    (await ask(url, '/api/login', { username, password })).cookie;

  async function makePerson(username: string, password: string, planId: number): Promise<Person> {
    if (username !== 'admin')
      await ask(url, '/api/register', { username, password, email: `${username}@example.test` });
    await pool.query("update users set plan_id = $1, email = username || '@example.test' where username = $2", [
      planId,
      username,
    ]);
    const cookie = await signIn({ username, password });
    const alert = { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 100 };
    const { body } = await ask<{ id: number }>(url, '/api/alerts', alert, cookie);
    return { username, password, cookie, alerts: [body.id] };
  }

  const people = {
    user: await makePerson('fuzz-user', 'secret-1', ELITE),
    admin: await makePerson('admin', adminPassword, ELITE),
    free: await makePerson('fuzz-free', 'secret-1', 1),
  };
  const cars = await storeCars(
    pool,
    Array.from({ length: CARS }, () => ({})),
  );
  // A worker may have matched them already.
  await pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
     select car, id, user_id, version, 12.3, true from alerts, unnest($1::bigint[]) as car where id = any($2)
     on conflict do nothing`,
    [cars, Object.values(people).map(({ alerts }) => alerts[0])],
  );

  let leavers = 0;
  const world: World = {
    url,
    people,
    cars,
    pending: [],
    approved: [],
    async learn(role, operation, request, answer) {
      const person = role === 'visitor' ? undefined : people[role];
      if (answer.status >= 300 || !person) return;
      const call = `${request.method} ${operation.path.replaceAll(/\{\w+\}/g, '{}')}`;
      const named = (/\/(\d+)(\?|$)/.exec(request.path) ?? [])[1];
      if (call === 'POST /api/alerts') person.alerts.push((JSON.parse(answer.text) as { id: number }).id);
      if (call === 'DELETE /api/alerts/{}') person.alerts = person.alerts.filter((id) => id !== Number(named));
      if (call === 'POST /api/logout') person.cookie = await signIn(person);
      if (call === 'POST /api/user/change-password') {
        person.password = (JSON.parse(request.body ?? '{}') as { newPassword: string }).newPassword;
        person.cookie = answer.setCookie ?? person.cookie;
      }
      if (call === 'PATCH /api/admin/deletion-requests/{}') {
        const { requestId, status, userId } = JSON.parse(answer.text) as Record<'requestId' | 'status', string> & {
          userId: number;
        };
        if (status !== 'pending') world.pending = world.pending.filter((id) => id !== requestId);
        if (status === 'approved' && !world.approved.includes(userId)) world.approved.push(userId);
      }
      if (call === 'POST /api/admin/execute-deletion/{}')
        world.approved = world.approved.filter((id) => id !== Number(named));
      await keepDeletionRequests();
    },
  };

  /** Keeps some people with deletion requests. */
  async function keepDeletionRequests(): Promise<void> {
    while (world.pending.length < FEW_REQUESTS) {
      leavers += 1;
      const { rows } = await pool.query<{ request_id: string }>(
        `with leaver as (insert into users (username, email, password_hash, plan_id)
                         values ($1, $1 || '@example.test', 'x', 1) returning id, username)
         insert into deletion_requests (request_id, user_id, username, reason)
         select $2, id, username, 'I have found my car.' from leaver returning request_id`,
        [`leaver-${leavers}`, `DR-${String(leavers).padStart(6, 'A')}`],
      );
      world.pending.push(...rows.map((row) => row.request_id));
    }
  }
  await keepDeletionRequests();
  return world;
}
