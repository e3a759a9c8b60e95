import { createHmac } from 'node:crypto';
import { loadAlerts } from '../rig/load.ts';
import type { ThrowAway } from '../rig/throw-away.ts';
import { alertOf, type Group } from './cars.ts';

const DAY_MS = 86_400_000;

/** express-session's cookie for a session's id. */
function cookieOf(sessionId: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(sessionId).digest('base64').replace(/=+$/, '');
  return `lotwatch_session=${encodeURIComponent(`s:${sessionId}.${signature}`)}`;
}

/** A user each with one alert and a session: subscriber `n` is user and alert `n + 1`. Returns their cookies. */
export async function makeSubscribers(
  db: ThrowAway,
  groups: readonly Group[],
  count: number,
  secret: string,
): Promise<string[]> {
  const alerts = Array.from({ length: count }, (_, at) => alertOf(groups[at % groups.length] as Group));
  await loadAlerts(db, alerts, { perUser: 1 });
  await db.pool.query("update alerts set location = 'Los Angeles, CA', place = 'Los Angeles, CA'");
  const ids = alerts.map((_, at) => `bench-session-${at + 1}`);
  const expires = new Date(Date.now() + 30 * DAY_MS);
  const cookie = { originalMaxAge: 30 * DAY_MS, expires, secure: false, httpOnly: true, path: '/', sameSite: 'lax' };
  await db.pool.query(
    `insert into session (sid, sess, expire)
     select sid, json_build_object('cookie', $2::json, 'userId', n), $3 from unnest($1::text[]) with ordinality s (sid, n)`,
    [ids, JSON.stringify(cookie), expires],
  );
  return ids.map((id) => cookieOf(id, secret));
}
