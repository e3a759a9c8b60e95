import { randomBytes } from 'node:crypto';
import { loadAlerts } from '../../bench/rig/load-alerts.ts';
import { sessionCookie } from '../../lab/session-cookie.ts';
import type { ThrowAway } from '../../lab/throw-away.ts';
import { generateApiKey } from '../../src/domain/api-key.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';

/** A buyer with a session, an API key and ten alerts. */
export interface Person {
  id: number;
  cookie: string;
  /** The header of requests with the key. */
  authorization: string;
  /** The newest car that a list has shown. */
  listingId?: string;
}

export const ALERTS_EACH = 10;
/** One of so many alerts is mailed about. */
const MAILED = 5;
export const isMailed = (alertId: number): boolean => alertId % MAILED === 0;
export const ownerOf = (alertId: number): number => Math.ceil(alertId / ALERTS_EACH);
export const addressOf = (userId: number): string => `user${userId}@example.test`;

const DAY_MS = 86_400_000;

/** Stores alerts, ids from 1 on, and their owners, each with ten of them, a session and an API key. */
export async function makePeople(
  db: Pick<ThrowAway, 'pool' | 'folder'>,
  alerts: readonly TestAlert[],
  secret: string,
): Promise<Person[]> {
  const { pool } = db;
  // The admin's place is taken by the first of them.
  await pool.query('delete from users');
  await loadAlerts(db, alerts, { perUser: ALERTS_EACH });
  await pool.query(
    `update alerts set location = 'Boise, ID', place = 'Boise, ID', email_notifications = id % ${MAILED} = 0`,
  );
  await pool.query(`update alert_cells set announces = alert_id % ${MAILED} = 0`);
  const made = Array.from({ length: Math.ceil(alerts.length / ALERTS_EACH) }, (_, at) => {
    const key = generateApiKey(randomBytes(32));
    return { id: at + 1, sid: `rolling-session-${at + 1}`, key };
  });
  const expires = new Date(Date.now() + 30 * DAY_MS);
  const cookie = { originalMaxAge: 30 * DAY_MS, expires, secure: false, httpOnly: true, path: '/', sameSite: 'lax' };
  await pool.query(
    `insert into session (sid, sess, expire)
     select sid, json_build_object('cookie', $2::json, 'userId', n), $3 from unnest($1::text[]) with ordinality s (sid, n)`,
    [made.map(({ sid }) => sid), JSON.stringify(cookie), expires],
  );
  await pool.query(
    `insert into api_keys (user_id, name, prefix, secret_hash, scopes)
     select n, 'rolling', prefix, hash, '{read,write}'
       from unnest($1::text[], $2::bytea[]) with ordinality k (prefix, hash, n)`,
    [made.map(({ key }) => key.prefix), made.map(({ key }) => key.hash)],
  );
  await pool.query('insert into api_allowances (user_id) select id from users on conflict do nothing');
  return made.map(({ id, sid, key }) => ({
    id,
    cookie: sessionCookie(sid, secret),
    authorization: `Bearer ${key.text}`,
  }));
}
