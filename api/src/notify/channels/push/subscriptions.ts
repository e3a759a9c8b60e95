import { createHash, ECDH } from 'node:crypto';
import { locks } from '../../../base/advisory-lock.ts';
import { type Client, inTransaction, type Pool, type Queryable } from '../../../base/database.ts';
import { AppError, refuseInvalid } from '../../../base/errors.ts';
import { type PostTargets, targetFault } from '../../../vendors/target-fault.ts';
import { notifyOwner } from '../../notify-owner.ts';

/** A browser of a user that gets push messages. */
export interface PushSubscriptionRow {
  id: number;
  endpoint: string;
  browser: string | null;
  system: string | null;
  createdAt: Date;
  lastSuccessAt: Date | null;
  lastError: string | null;
}

/** What a browser says of its subscription. */
export interface NewSubscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

const MAX_SUBSCRIPTIONS = 10;
const MAX_ENDPOINT = 2_000;
const CURVE = 'prime256v1';
const AUTH_BYTES = 16;

const columns = `id, endpoint, browser, system, created_at as "createdAt", last_success_at as "lastSuccessAt",
  last_error as "lastError"`;

/** Names a subscription without telling its address: SHA-256 of the endpoint in base64url. */
export const markOf = ({ endpoint }: Pick<NewSubscription, 'endpoint'>): string =>
  createHash('sha256').update(endpoint).digest('base64url');

/** The bytes of a base64url text; null for anything else. */
function bytesOf(text: string, most: number): Buffer | null {
  if (text.length > most || !/^[\w-]+={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64url');
}

/** Whether a text is a public key of a browser: an uncompressed point of P-256, in base64url. */
function isPublicKey(text: string): boolean {
  const bytes = bytesOf(text, 100);
  if (bytes?.length !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, CURVE);
    return true;
  } catch {
    return false;
  }
}

/** @throws AppError VALIDATION with `fields` */
async function validate(given: NewSubscription, targets: PostTargets): Promise<void> {
  const { endpoint, p256dh, auth } = given;
  const faults: Record<string, string> = {};
  const fault =
    endpoint.length > MAX_ENDPOINT
      ? `An address has at most ${MAX_ENDPOINT.toLocaleString('en-US')} characters.`
      : await targetFault(endpoint, targets);
  if (fault !== null) faults.endpoint = fault;
  if (!isPublicKey(p256dh)) faults.p256dh = 'This is no public key of a browser.';
  if (bytesOf(auth, 30)?.length !== AUTH_BYTES) faults.auth = 'This is no secret of a browser.';
  refuseInvalid(faults);
}

export interface SubscriptionDeps {
  pool: Pool;
  targets: PostTargets;
  /** Whether an unconfirmed address gets no mail about it. */
  confirmEmail: boolean;
}

/** Locks the user and then the session, and returns the session's number. @throws AppError UNAUTHENTICATED when it has ended */
async function lockSession(client: Client, viewer: { id: number; sessionId: string | null }): Promise<number> {
  // The lock makes parallel calls count each other's subscriptions.
  await client.query('/* lock-owner-of-browser */ select from users where id = $1 for no key update', [viewer.id]);
  // Whoever ends the session waits for this transaction, and then finds the subscription.
  const { rows } = await client.query<{ id: number }>(
    `select id from session where sid = $1 and sess ->> 'userId' = $2 and expire > now() for update`,
    [viewer.sessionId, String(viewer.id)],
  );
  const [session] = rows;
  if (!session) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return session.id;
}

/**
 * Removes a browser from the others who had added it, if the keys are its own. The lock makes it the one of the last user who
 * adds it, as no key of the database would where each user's rows are on another server.
 * @throws AppError CONFLICT if somebody else has added the address with other keys
 */
async function takeBrowser(client: Client, userId: number, { endpoint, p256dh, auth }: NewSubscription): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${locks.browser}, hashtext($1))`, [endpoint]);
  await client.query(
    'delete from push_subscriptions where endpoint = $2 and user_id <> $1 and p256dh = $3 and auth = $4',
    [userId, endpoint, p256dh, auth],
  );
  const { rowCount } = await client.query('select from push_subscriptions where endpoint = $2 and user_id <> $1', [
    userId,
    endpoint,
  ]);
  if (rowCount) throw keysDiffer();
}

const keysDiffer = () => new AppError('CONFLICT', 'This address is known with other keys.');

/**
 * Adds a browser to those that get a user's messages, until the session ends in which it was added last. A subscription that
 * another user of the browser had added is theirs no longer; only the browser itself knows its keys. The owner gets a mail
 * about a browser that is new.
 * @throws AppError VALIDATION with `fields`, UNAUTHENTICATED, CONFLICT at the eleventh, and for a known address with other keys
 */
export async function addSubscription(
  { pool, targets, confirmEmail }: SubscriptionDeps,
  viewer: { id: number; sessionId: string | null },
  { endpoint, p256dh, auth, browser, system }: NewSubscription & Pick<PushSubscriptionRow, 'browser' | 'system'>,
): Promise<PushSubscriptionRow & { isNew: boolean }> {
  await validate({ endpoint, p256dh, auth }, targets);
  return inTransaction(pool, async (client) => {
    const sessionId = await lockSession(client, viewer);
    const { rows: known } = await client.query<{ others: number; isKnown: boolean }>(
      `select count(*) filter (where endpoint <> $2)::int4 as others, count(*) filter (where endpoint = $2) > 0 as "isKnown"
         from push_subscriptions where user_id = $1`,
      [viewer.id, endpoint],
    );
    const { others, isKnown } = known[0] ?? { others: 0, isKnown: false };
    if (others >= MAX_SUBSCRIPTIONS) {
      throw new AppError(
        'CONFLICT',
        `Push notifications are on for ${MAX_SUBSCRIPTIONS} devices. Please remove one to add another.`,
      );
    }
    await takeBrowser(client, viewer.id, { endpoint, p256dh, auth });
    const { rows } = await client.query<PushSubscriptionRow>(
      `insert into push_subscriptions as s (user_id, endpoint, p256dh, auth, browser, system, session_id)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (user_id, endpoint) do update
         set browser = excluded.browser, system = excluded.system, session_id = excluded.session_id
         where s.p256dh = excluded.p256dh and s.auth = excluded.auth
       returning ${columns}`,
      [viewer.id, endpoint, p256dh, auth, browser, system, sessionId],
    );
    const [row] = rows;
    if (!row) throw keysDiffer();
    if (!isKnown) {
      const data = { at: new Date().toISOString(), browser, system };
      await notifyOwner(client, { userId: viewer.id, kind: 'push_added', data, confirmEmail });
    }
    return { ...row, isNew: !isKnown };
  });
}

/**
 * Removes the browsers of a user whose sessions were ended together, and those whose sessions expired before. It must be
 * called after the sessions were deleted, so that none is added meanwhile.
 * @param exceptSessionId the session whose browser is kept; null removes all
 */
export async function removeSubscriptions(
  db: Queryable,
  userId: number,
  exceptSessionId: string | null,
): Promise<void> {
  await db.query(
    `delete from push_subscriptions where user_id = $1
        and ($2::text is null or session_id is distinct from (select id from session where sid = $2))`,
    [userId, exceptSessionId],
  );
}

/** Removes the browser of a session that was ended, as for `removeSubscriptions`. @param sessionId its number */
export async function removeSubscriptionsOf(db: Queryable, userId: number, sessionId: number): Promise<void> {
  await db.query('delete from push_subscriptions where user_id = $1 and session_id = $2', [userId, sessionId]);
}

/** Lets the browser of a session that was replaced by another get the user's messages still. @param formerId its number */
export async function moveSubscriptions(
  db: Queryable,
  userId: number,
  formerId: number,
  sessionId: string,
): Promise<void> {
  await db.query(
    `update push_subscriptions set session_id = (select id from session where sid = $3) where session_id = $2 and user_id = $1`,
    [userId, formerId, sessionId],
  );
}

/** Removes a browser from those that get the user's messages. @throws AppError NOT_FOUND */
export async function removeSubscription(db: Queryable, viewer: { id: number }, id: number): Promise<number> {
  const { rowCount } = await db.query('delete from push_subscriptions where id = $1 and user_id = $2', [id, viewer.id]);
  if (!rowCount) throw new AppError('NOT_FOUND', 'Device not found');
  return id;
}

/** Lists the browsers that get a user's messages, the newest first. */
export async function listSubscriptions(db: Queryable, viewer: { id: number }): Promise<PushSubscriptionRow[]> {
  const { rows } = await db.query<PushSubscriptionRow>(
    `select ${columns} from push_subscriptions where user_id = $1 order by id desc`,
    [viewer.id],
  );
  return rows;
}
