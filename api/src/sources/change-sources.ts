import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { type SourceState, sourceState } from '../domain/source-health.ts';
import { newToken } from './claim-source.ts';
import { kindOf } from './kinds/source-kinds.ts';
import type { StoredSource } from './source-secrets.ts';

const valuesIn = (settings: string, names: string) =>
  `(select jsonb_object_agg(key, value) from jsonb_each(${settings}) where key = any(${names}))`;
/** SQL: whether settings are others than stored ones. Those of a source are $2 (kind) and $3. @param names a parameter */
const differsIn = (names: string) => `(s.kind <> $2
  or ${valuesIn('s.settings', `${names}::text[]`)} is distinct from ${valuesIn('$3::jsonb', `${names}::text[]`)})`;

/** Who sets a source up. A file wins over the browser; the browser changes only the version that was edited, 0 for none. */
type Writer = { origin: 'settings' } | { origin: 'browser'; version: number };

/** What other settings change of a stored source. */
interface SourceChange {
  /** Of the stored one. */
  version: number;
  /** Settings that say what is read end a running read when they change, and drop what was stored about earlier ones. */
  restarts: boolean;
  /** Other cars that are read from now on were there before, so that their first read announces none of them. */
  isFirstRead: boolean;
  /** How far a read of newest items came still counts at another address of them. */
  losesCursor: boolean;
  isReplaced: boolean;
  /** As text, which keeps the microseconds. */
  now: string;
}

/** Compares settings with those that are stored. @returns null where the browser's version is another one by now */
async function compare(
  db: Queryable,
  { name, kind, settings }: StoredSource,
  { origin, version }: { origin: string; version: number | null },
): Promise<SourceChange | null> {
  const { restartsRead, makesFirstRead, by } = kindOf(kind);
  const { rows } = await db.query<SourceChange>(
    `select s.version, ${differsIn('$4')} as restarts, ${differsIn('$5')} as "isFirstRead",
            $6 or s.kind <> $2 or ($3::jsonb ->> 'order') is not distinct from 'append'
               or s.settings ->> 'order' is distinct from $3::jsonb ->> 'order' as "losesCursor",
            s.origin = 'browser' and $7 = 'settings' as "isReplaced", now()::text as now
       from sources s where s.name = $1 and ($8::int4 is null or s.origin = 'browser' and s.version = $8)`,
    [name, kind, JSON.stringify(settings), restartsRead, makesFirstRead, by === 'requests', origin, version],
  );
  return rows[0] ?? null;
}

/** So many others may change a source between the comparison and the change. */
const TRIES = 10;

/**
 * Adds a source, or changes it. One that an operator has ended stays ended.
 * @returns null where the browser's version is another one by now
 */
export async function storeSource(
  db: Queryable,
  source: StoredSource,
  writer: Writer,
): Promise<{ isKeptEnded: boolean; isReplaced: boolean } | null> {
  const { name, kind, ended, encryptedSecrets, settings } = source;
  const { origin } = writer;
  const values = [name, kind, JSON.stringify(settings), ended, encryptedSecrets, origin];
  const { rowCount: isNew } = await db.query(
    `insert into sources (name, kind, settings, header_ciphertext, next_poll_at, ended_by, origin)
     values ($1, $2, $3, $5, case when $4 then 'infinity' else now() end, case when $4 then 'settings' end, $6)
     on conflict (name) do nothing returning 1`,
    values,
  );
  if (isNew) return { isKeptEnded: false, isReplaced: false };
  for (let tries = 0; tries < TRIES; tries++) {
    const change = await compare(db, source, { origin, version: origin === 'browser' ? writer.version : null });
    if (!change) return null;
    const { restarts, isFirstRead, losesCursor, isReplaced, now, version } = change;
    const { rows } = await db.query<{ isKeptEnded: boolean }>(
      `update sources
          set kind = $2, settings = $3, header_ciphertext = $5,
              etag = case when $7 then null else etag end, last_modified = case when $7 then null else last_modified end,
              first_read_done = first_read_done and not $8,
              claim_token = case when $7 then $9 else claim_token end,
              claimed_until = case when not $7 then claimed_until end,
              cursor = case when $10 then '{}' when $8 then cursor - 'wasEmpty' else cursor end,
              next_poll_at = case when ended_by = 'operator' or $4 then 'infinity' else $11::timestamptz end,
              ended_by = case when ended_by = 'operator' then 'operator' when $4 then 'settings' end,
              origin = $6, version = version + 1, replaced_at = case when $12 then $11 else replaced_at end
        where name = $1 and version = $13
        returning ended_by is not distinct from 'operator' as "isKeptEnded"`,
      [...values, restarts, isFirstRead, newToken(), restarts && losesCursor, now, isReplaced, version],
    );
    const [row] = rows;
    if (row) return { ...row, isReplaced };
  }
  throw new Error(`The source ${name} is changed again and again.`);
}

/** What a start with settings found. */
export interface EnsuredSources {
  /** The names of sources that the settings name and that an operator has ended; they stay ended. */
  keptEnded: string[];
  /** The names of sources that were made in the browser, and that the settings name now; the settings apply. */
  replaced: string[];
}

/**
 * Adds and updates the sources that the settings of this process name, and ends those of them that are marked as ended.
 * All other sources stay as they are, as another process may have other settings. Where two processes configure one
 * source differently, the settings of the later start apply.
 */
export async function ensureSources(db: Queryable, sources: readonly StoredSource[]): Promise<EnsuredSources> {
  const ensured: EnsuredSources = { keptEnded: [], replaced: [] };
  for (const source of sources) {
    const stored = await storeSource(db, source, { origin: 'settings' });
    if (stored?.isKeptEnded && !source.ended) ensured.keptEnded.push(source.name);
    if (stored?.isReplaced) ensured.replaced.push(source.name);
  }
  return ensured;
}

/**
 * Creates the source of a push at its first push.
 * @throws AppError CONFLICT when the name is a polled source's, to whose polls pushed listings would look absent
 */
export async function ensurePushSource(db: Queryable, name: string): Promise<void> {
  const kindOf = async () => {
    const text = 'select kind from sources where name = $1';
    const { rows } = await db.query<{ kind: string }>({ name: 'kind-of-source', text, values: [name] });
    return rows[0]?.kind;
  };
  // On a cluster, who inserts makes all other writers of sources wait until the push is stored.
  let kind = await kindOf();
  if (kind === undefined) {
    await db.query(
      `insert into sources (name, kind, first_read_done, next_poll_at) values ($1, 'push', true, 'infinity')
       on conflict (name) do nothing`,
      [name],
    );
    kind = await kindOf();
  }
  if (kind !== 'push') throw new AppError('CONFLICT', `The source ${name} is polled; push under another name.`);
}

/** Records a push. @param lagMs the median from listed to seen of new listings; null when none states it */
export async function recordPush(db: Queryable, name: string, lagMs: number | null): Promise<void> {
  await db.query({
    name: 'record-push',
    text: `update sources set last_polled_at = now(), last_success_at = now(), lag_ms = coalesce($2, lag_ms)
            where name = $1`,
    values: [name, lagMs],
  });
}

/** Who ended a source: an operator by a command, or the settings of the process that started last. */
type EndedBy = 'operator' | 'settings';

/** Only a polled source can be ended or resumed, not one that is pushed to. */
export type EndOutcome = 'done' | 'unknown' | 'pushed';

/** A source as an operator sees it, without its settings, which may hold a token. */
interface ListedSource {
  name: string;
  kind: string;
  state: SourceState;
  endedBy: EndedBy | null;
  everySeconds: number | null;
  nextPollAt: Date | null;
  lastSuccessAt: Date | null;
  lastError: string | null;
}

async function changeSource(db: Queryable, name: string, assignments: string): Promise<EndOutcome> {
  const { rowCount } = await db.query(`update sources set ${assignments} where name = $1 and kind <> 'push'`, [name]);
  if (rowCount) return 'done';
  const { rowCount: isThere } = await db.query('select from sources where name = $1', [name]);
  return isThere ? 'pushed' : 'unknown';
}

/**
 * Ends a source: no process begins another read of it; a running read continues. Its health and its listings stay. A
 * source that an operator ended stays ended until it is resumed, whatever settings name it.
 */
export function endSource(db: Queryable, name: string, by: EndedBy): Promise<EndOutcome> {
  const endedBy = by === 'operator' ? "'operator'" : "coalesce(ended_by, 'settings')";
  return changeSource(db, name, `next_poll_at = 'infinity', ended_by = ${endedBy}`);
}

/** Resumes a source with its last settings; it is due at once. */
export function resumeSource(db: Queryable, name: string): Promise<EndOutcome> {
  return changeSource(db, name, 'next_poll_at = now(), ended_by = null');
}

/** Every source, by name. */
export async function listSources(db: Queryable): Promise<ListedSource[]> {
  const { rows } = await db.query<Omit<ListedSource, 'state'> & { createdAt: Date; now: Date }>(
    `select name, kind, ended_by as "endedBy",
            case when kind <> 'push' then coalesce((settings ->> 'everySeconds')::float8, 60) end as "everySeconds",
            case when next_poll_at < 'infinity' then next_poll_at end as "nextPollAt",
            last_success_at as "lastSuccessAt", last_error as "lastError", created_at as "createdAt", now() as now
       from sources order by name`,
  );
  return rows.map(({ createdAt, now, ...row }) => ({
    ...row,
    state: sourceState({ ...row, everySeconds: row.everySeconds ?? 60, createdAt }, now),
  }));
}
