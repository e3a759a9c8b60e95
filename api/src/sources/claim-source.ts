import type { Pool, Queryable } from '../base/database.ts';
import type { SourceKind, StoredSource } from './source-settings.ts';

const SHORTEST_WAIT_MS = 100;
/** A claim that is not renewed for this long is lost. It is renewed three times in that time. */
const LEASE_MS = 12_000;

export interface SourceCursor {
  /** append: how many records were stored. */
  offset?: number;
  /** newest-first: how far from the top a read that broke off had come. */
  reach?: number;
}

/** A claim of a source: another one has another token. */
export interface Claim {
  name: string;
  token: number;
}

/** Another reader has claimed the source, because this reader's claim was not renewed in time. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`The lease of the source ${name} is lost.`);
  }
}

export interface ClaimedSource extends Claim {
  kind: SourceKind;
  settings: Omit<StoredSource, 'name' | 'kind' | 'ended' | 'encryptedHeader'>;
  encryptedHeader: string | null;
  cursor: SourceCursor;
  etag: string | null;
  lastModified: string | null;
  firstReadDone: boolean;
  failures: number;
}

/** A claim that its reader left behind is due as soon as it is over, whatever the interval. */
const isDue = `kind <> 'push' and next_poll_at < 'infinity'
  and case when claimed_until is null then next_poll_at <= now() else claimed_until <= now() end`;

/** The names of the sources whose time has come, the longest waiting first. */
export async function dueSources(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    name: 'find-due-sources',
    text: `select name from sources where ${isDue} order by next_poll_at, name`,
  });
  return rows.map(({ name }) => name);
}

/**
 * Milliseconds until the next source is due; null when none ever is. Never 0: who waits for it must not spin. One that
 * is being read is looked at again every second once its time has come.
 */
export async function untilNextPoll(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ ms: number | null }>(
    `select ceil(extract(epoch from min(case when claimed_until is null then next_poll_at
              else least(claimed_until, greatest(next_poll_at, now() + interval '1 s')) end) - now()) * 1000)::float8 as ms
     from sources where kind <> 'push' and next_poll_at < 'infinity'`,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.max(SHORTEST_WAIT_MS, ms);
}

const leaseEnd = "now() + $2 * interval '1 ms'";
/**
 * Random, so that a server that was restored to an earlier state cannot give out a token twice. Below 2^53, since
 * JavaScript reads it as a number.
 */
export const newToken = '(random() * 9007199254740991)::int8';
const claim = `
  update sources
     set claim_token = ${newToken}, claimed_until = ${leaseEnd}, last_polled_at = now(),
         next_poll_at = now() + coalesce((settings ->> 'everySeconds')::float8, 60) * interval '1 s'
   where name = $1 and ${isDue}
  returning name, claim_token as token, kind, settings, header_ciphertext as "encryptedHeader", cursor, etag, last_modified as "lastModified",
            first_read_done as "firstReadDone", failures`;

/**
 * Holds the source's row until the transaction ends: nobody claims it meanwhile.
 * @throws LeaseLost when somebody has done so before
 */
export async function requireClaim(db: Queryable, { name, token }: Claim): Promise<void> {
  const { rowCount } = await db.query({
    name: 'require-claim',
    text: 'select from sources where name = $1 and claim_token = $2 for no key update',
    values: [name, token],
  });
  if (!rowCount) throw new LeaseLost(name);
}

/** Renews a claim in the background. @param onLost called once when somebody else has the source */
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
    // One that cannot be renewed may end: `requireClaim` then refuses what its reader stores.
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
 * Runs `work` while no one else polls the source; null when it is being polled or not due. The claim is a lease, renewed
 * for as long as the work goes on; `work` ends it by recording what came of the read, and where it fails without doing
 * so the source is anybody's at once. A reader that was stopped for longer than the lease may find another at the
 * source: whatever it then writes must be refused, see `requireClaim`.
 * @param work is given a signal that is aborted with `LeaseLost` as soon as the loss is noticed
 */
export async function withSource<T>(
  pool: Pool,
  name: string,
  work: (source: ClaimedSource, lost: AbortSignal) => Promise<T>,
  leaseMs = LEASE_MS,
): Promise<T | null> {
  const { rows } = await pool.query<ClaimedSource>({ name: 'claim-source', text: claim, values: [name, leaseMs] });
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
