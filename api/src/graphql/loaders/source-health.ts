import type { Pool } from '../../base/database.ts';
import type { LagCount } from '../../domain/source-health.ts';
import { batch } from './batch.ts';

/** Figures of a source. Counts and lags cover the last 24 hours, by whole hours. */
export interface SourceFigures {
  name: string;
  createdAt: Date;
  everySeconds: number | null;
  nextPollAt: Date | null;
  isReading: boolean;
  lastDay: { accepted: number; updated: number; unchanged: number; rejected: number };
  lags: LagCount[];
  quarantined: { code: string; count: number }[];
}

const withinDay = "hour > now() - interval '24 hours'";

const text = `
  select s.name, s.created_at as "createdAt",
         case when s.kind <> 'push' then coalesce((s.settings ->> 'everySeconds')::float8, 60) end as "everySeconds",
         case when s.next_poll_at < 'infinity' then s.next_poll_at end as "nextPollAt",
         coalesce(s.claimed_until > now(), false) as "isReading",
         (select json_build_object('accepted', coalesce(sum(accepted), 0), 'updated', coalesce(sum(updated), 0),
                                   'unchanged', coalesce(sum(unchanged), 0), 'rejected', coalesce(sum(rejected), 0))
            from source_hours where source = s.name and ${withinDay}) as "lastDay",
         (select coalesce(json_agg(json_build_object('bucket', bucket, 'listings', listings)), '[]')
            from source_lags where source = s.name and ${withinDay}) as lags,
         (select coalesce(json_agg(json_build_object('code', code, 'count', count) order by count desc, code), '[]')
            from (select code, count(*) from quarantine where source = s.name group by code) c) as quarantined
    from sources s where s.name = any($1)`;

export function sourceFiguresLoader(pool: Pool) {
  return batch<string, SourceFigures>(async (names) => {
    const { rows } = await pool.query<SourceFigures>(text, [names]);
    return new Map(rows.map((row) => [row.name, row]));
  });
}
