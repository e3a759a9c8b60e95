import type { Pool } from '../base/database.ts';
import { type LagCount, lagPercentileMs, SourceState, sourceState } from '../domain/source-health.ts';
import { MIN_FIGURES } from '../domain/status.ts';

/** What everybody may know of a source: neither its address nor its errors. */
export interface SourceStatus {
  name: string;
  state: SourceState;
  lastSuccessAt: Date | null;
  /** Percentiles of the milliseconds from listed to seen, of the last 24 hours; null with too few listings. */
  lagP50Ms: number | null;
  lagP95Ms: number | null;
  lagListings: number;
  /** Since when it has not been read: its last success, or its creation. */
  silentSince: Date;
}

interface SourceRow {
  name: string;
  kind: string;
  everySeconds: number;
  nextPollAt: Date | null;
  createdAt: Date;
  lastSuccessAt: Date | null;
  lastError: string | null;
  lags: LagCount[];
}

const sourceColumns = `s.name, s.kind, coalesce((s.settings ->> 'everySeconds')::float8, 60) as "everySeconds",
  case when s.next_poll_at < 'infinity' then s.next_poll_at end as "nextPollAt",
  s.created_at as "createdAt", s.last_success_at as "lastSuccessAt", s.last_error as "lastError"`;

/** Reads the status of all sources that have not ended, by name. */
export async function readSourceStatus(pool: Pool, now = new Date()): Promise<SourceStatus[]> {
  const { rows } = await pool.query<SourceRow>({
    name: 'source-status',
    text: `select ${sourceColumns},
                  (select coalesce(json_agg(json_build_object('bucket', bucket, 'listings', listings)), '[]')
                     from source_lags where source = s.name and hour > now() - interval '24 hours') as lags
             from sources s where s.ended_by is null order by s.name`,
  });
  return rows.map(({ lags, ...source }): SourceStatus => {
    const lagListings = lags.reduce((sum, { listings }) => sum + listings, 0);
    const isEnough = lagListings >= MIN_FIGURES;
    return {
      name: source.name,
      state: sourceState(source, now),
      lastSuccessAt: source.lastSuccessAt,
      lagP50Ms: isEnough ? lagPercentileMs(lags, 0.5) : null,
      lagP95Ms: isEnough ? lagPercentileMs(lags, 0.95) : null,
      lagListings,
      silentSince: source.lastSuccessAt ?? source.createdAt,
    };
  });
}

/** How recently the sources were read. */
export interface SourceFreshness {
  /** When a source was last read without an error; null before the first time. */
  lastCheckedAt: Date | null;
  /** How many sources could not be read the last time. */
  lateSources: number;
}

/** Reads how recently all sources that have not ended were read. It reads less than `readSourceStatus`. */
export async function readSourceFreshness(pool: Pool, now = new Date()): Promise<SourceFreshness> {
  const { rows } = await pool.query<Omit<SourceRow, 'lags'>>({
    name: 'source-freshness',
    text: `select ${sourceColumns} from sources s where s.ended_by is null`,
  });
  const times = rows.flatMap(({ lastSuccessAt }) => lastSuccessAt?.getTime() ?? []);
  return {
    lastCheckedAt: times.length > 0 ? new Date(Math.max(...times)) : null,
    lateSources: rows.filter((row) => lateStates.has(sourceState(row, now))).length,
  };
}

const lateStates: ReadonlySet<SourceState> = new Set([SourceState.degraded, SourceState.failing]);

/** Whether a source is out of order, and not only late once. */
export const isFailing = ({ state }: SourceStatus): boolean => state === SourceState.failing;
