import { randomInt } from 'node:crypto';
import type { Pool, Queryable } from '../base/database.ts';
import { kindNames } from './kinds/source-kinds.ts';
import type { StoredSource } from './source-secrets.ts';

const MIN_WAIT_MS = 100;
/** A claim that is not renewed for this long is lost. It is renewed three times in that time. */
const LEASE_MS = 12_000;

export interface SourceCursor {
  /** append: how many records were stored. */
  offset?: number;
  /** newest-first: how far from the top a read that broke off had come. */
  reach?: number;
  /** Before its first read is done: whether the last read had no items. */
  wasEmpty?: boolean;
}

/** A claim of a source. Every claim has a token of its own. */
export interface Claim {
  name: string;
  token: number;
  /** Of the settings that are read with. */
  version: number;
}

/** Another reader has claimed the source, because this reader's claim was not renewed in time. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease of the source ${name} is lost.`);
  }
}

export interface ClaimedSource extends Claim, Pick<StoredSource, 'kind' | 'encryptedSecrets'> {
  /** Without its secrets. */
  settings: StoredSource['settings'] & { everySeconds: number };
  cursor: SourceCursor & Readonly<Record<string, unknown>>;
  etag: string | null;
  lastModified: string | null;
  firstReadDone: boolean;
  failures: number;
  /** Who has set it up. */
  origin: 'settings' | 'browser';
}

/** A push is not read, and a kind that is not known is left to the version that knows it. */
const isRead = `kind = any('{${kindNames.join()}}')`;
/** A source whose reader left its claim behind is due as soon as the claim expires, whatever its interval. */
const isDue = `${isRead} and next_poll_at < 'infinity' and coalesce(claimed_until, next_poll_at) <= now()`;

/** The names of the sources that are due, the longest waiting first. */
export async function dueSources(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'find-due-sources',
    text: `select name from sources where ${isDue} order by next_poll_at, name`,
  });
  return rows.map(({ name }) => name);
}

/**
 * Milliseconds until the next source is due; null when none ever is. Never 0, so that a caller that waits for it does
 * not spin. A source that is due but being read is checked again every second.
 */
export async function untilNextPoll(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ ms: number | null }>(
    `select ceil(extract(epoch from min(case when claimed_until is null then next_poll_at
              else least(claimed_until, greatest(next_poll_at, now() + interval '1 s')) end) - now()) * 1000)::float8 as ms
     from sources where ${isRead} and next_poll_at < 'infinity'`,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.max(MIN_WAIT_MS, ms);
}

const leaseEnd = "now() + $2 * interval '1 ms'";
/** Random, so that a server that was restored to an earlier state cannot give out a token twice. */
export const newToken = (): number => randomInt(2 ** 48 - 1);
const claim = `
  with next as materialized (
    select name as read, now() + coalesce((settings ->> 'everySeconds')::float8, 60) * interval '1 s' as at
      from sources where name = $1
  )
  update sources
     set claim_token = $3, claimed_until = ${leaseEnd}, last_polled_at = now(), next_poll_at = next.at
    from next where name = next.read and ${isDue}
  returning name, claim_token as token, version, kind, settings, header_ciphertext as "encryptedSecrets", cursor, etag, last_modified as "lastModified",
            first_read_done as "firstReadDone", failures, origin`;

/**
 * Locks the source's row until the transaction ends, so that no other worker can claim it meanwhile.
 * @throws LeaseLost when another worker has claimed it
 */
export async function requireClaim(db: Queryable, { name, token }: Claim): Promise<void> {
  const { rowCount } = await db.query({
    name: 'require-claim',
    text: 'select from sources where name = $1 and claim_token = $2 for no key update',
    values: [name, token],
  });
  if (!rowCount) throw new LeaseLost(name);
}

/** Renews a claim in the background. @param onLost called once when another worker has claimed the source */
function keepClaim(pool: Pool, { name, token }: Claim, leaseMs: number, onLost: () => void) {
  let renewing: Promise<void> | undefined;
  const renew = async () => {
    const { rowCount } = await pool.query(
      `update sources set claimed_until = ${leaseEnd}
        where name = $1 and claim_token = $3 and claimed_until is not null returning 1`,
      [name, leaseMs, token],
    );
    if (rowCount) return;
    const { rowCount: isOurs } = await pool.query('select from sources where name = $1 and claim_token = $2', [
      name,
      token,
    ]);
    if (!isOurs) onLost();
  };
  const timer = setInterval(() => {
    // A claim that can't be renewed may end: `requireClaim` then refuses what its reader stores.
    renewing ??= renew()
      .catch(() => {})
      .finally(() => {
        renewing = undefined;
      });
  }, leaseMs / 3);
  return {
    async end() {
      clearInterval(timer);
      await renewing;
    },
  };
}

/**
 * Runs `work` while no other worker polls the source; null when it is being polled or not due. The claim is a lease, which
 * is renewed for as long as the work goes on. `work` ends it by recording the outcome of the read; where it fails without
 * doing so, the claim ends at once. After a reader was stopped for longer than its lease, another one may have claimed the
 * source, so all that the first one writes must be guarded by `requireClaim`.
 * @param work receives a signal that is aborted with `LeaseLost` as soon as the loss is noticed
 */
export async function withSource<T>(
  pool: Pool,
  name: string,
  work: (source: ClaimedSource, lost: AbortSignal) => Promise<T>,
  leaseMs = LEASE_MS,
): Promise<T | null> {
  const { rows } = await pool.query<ClaimedSource>({
    name: 'claim-source',
    text: claim,
    values: [name, leaseMs, newToken()],
  });
  const source = rows[0];
  if (!source) return null;
  const losing = new AbortController();
  const kept = keepClaim(pool, source, leaseMs, () => losing.abort(new LeaseLost(name)));
  try {
    return await work(source, losing.signal);
  } catch (error) {
    await kept.end();
    await pool
      .query(
        'update sources set claimed_until = now() where name = $1 and claim_token = $2 and claimed_until > now()',
        [name, source.token],
      )
      .catch(() => {});
    throw error;
  } finally {
    await kept.end();
  }
}
