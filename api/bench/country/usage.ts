import { childrenOf, cpuSeconds, sharedMemoryMb } from '../../lab/processes.ts';
import type { Pool } from '../../src/base/database.ts';

interface Pids {
  server: number;
  api: number;
  jobs: number;
  bench: number;
}

interface Usage {
  at: number;
  matches: number;
  notifications: number;
  matchBytes: number;
  notificationBytes: number;
  walBytes: number;
  cpu: Record<keyof Pids, number>;
}

/** With partitions, whose table itself takes no space. */
const bytesOf = (table: string): string => `
  (select sum(pg_total_relation_size(oid)) from pg_class
    where oid = '${table}'::regclass or oid in (select inhrelid from pg_inherits where inhparent = '${table}'::regclass))::int8`;

/** Reads what was written and used until now. */
export async function readUsage(pool: Pool, { server, api, jobs, bench }: Pids): Promise<Usage> {
  const { rows } = await pool.query<Omit<Usage, 'at' | 'cpu'>>(
    `select (select count(*) from matches) as matches, (select count(*) from notifications) as notifications,
            ${bytesOf('matches')} as "matchBytes", ${bytesOf('notifications')} as "notificationBytes",
            pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::int8 as "walBytes"`,
  );
  const [counts] = rows;
  if (!counts) throw new Error('the server has no sizes');
  const cpu = {
    server: cpuSeconds(server, true),
    api: cpuSeconds(api),
    jobs: cpuSeconds(jobs),
    bench: cpuSeconds(bench),
  };
  return { at: performance.now(), ...counts, cpu };
}

const difference = (before: number, after: number, seconds: number) => Number(((after - before) / seconds).toFixed(2));

/** What was written and used from one reading to the other. */
export function usageBetween(before: Usage, after: Usage) {
  const seconds = (after.at - before.at) / 1_000;
  const processor = (name: keyof Pids) => difference(before.cpu[name], after.cpu[name], seconds);
  return {
    seconds,
    matches: after.matches - before.matches,
    notifications: after.notifications - before.notifications,
    matchBytes: after.matchBytes - before.matchBytes,
    notificationBytes: after.notificationBytes - before.notificationBytes,
    walBytes: after.walBytes - before.walBytes,
    processors: {
      server: processor('server'),
      api: processor('api'),
      jobs: processor('jobs'),
      bench: processor('bench'),
    },
  };
}

const EVERY_MS = 15_000;

/** Reads the memory now and then. `stop` returns the most that each took, in MB, shared pages divided. */
export function watchMemory({ server, api, jobs, bench }: Pids) {
  const peak = { server: 0, api: 0, jobs: 0, bench: 0 };
  const read = () => {
    peak.server = Math.max(peak.server, sharedMemoryMb([server, ...childrenOf(server)]));
    peak.api = Math.max(peak.api, sharedMemoryMb([api]));
    peak.jobs = Math.max(peak.jobs, sharedMemoryMb([jobs]));
    peak.bench = Math.max(peak.bench, sharedMemoryMb([bench]));
  };
  const timer = setInterval(read, EVERY_MS);
  return {
    stop() {
      read();
      clearInterval(timer);
      return peak;
    },
  };
}
