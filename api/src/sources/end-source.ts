import type { Queryable } from '../base/database.ts';
import { type SourceState, sourceState } from '../domain/source-health.ts';

/** Who ended a source: an operator by a command, or the settings of the process that started last. */
export type EndedBy = 'operator' | 'settings';

/** A polled source is ended or resumed; one that is pushed to is not polled in any case. */
export type EndOutcome = 'done' | 'unknown' | 'pushed';

/** A source as an operator sees it. Without its settings: they may hold a token. */
export interface ListedSource {
  name: string;
  kind: string;
  state: SourceState;
  endedBy: EndedBy | null;
  everySeconds: number | null;
  nextPollAt: Date | null;
  lastSuccessAt: Date | null;
  lastError: string | null;
}

async function change(db: Queryable, name: string, assignments: string): Promise<EndOutcome> {
  const { rowCount } = await db.query(`update sources set ${assignments} where name = $1 and kind <> 'push'`, [name]);
  if (rowCount) return 'done';
  const { rowCount: isThere } = await db.query('select from sources where name = $1', [name]);
  return isThere ? 'pushed' : 'unknown';
}

/**
 * Ends a source: no further read begins, in any process; one that is under way goes on to its end. Its health and its
 * listings stay. What an operator ended stays ended until it is resumed, whatever settings name it.
 */
export function endSource(db: Queryable, name: string, by: EndedBy): Promise<EndOutcome> {
  const endedBy = by === 'operator' ? "'operator'" : "coalesce(ended_by, 'settings')";
  return change(db, name, `next_poll_at = 'infinity', ended_by = ${endedBy}`);
}

/** Polls a source again, by the settings it had last. One that was not ended is due at once. */
export function resumeSource(db: Queryable, name: string): Promise<EndOutcome> {
  return change(db, name, 'next_poll_at = now(), ended_by = null');
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
