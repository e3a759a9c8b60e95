import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BackedUpCluster,
  type BaseBackup,
  historyName,
  listBases,
  listHistories,
  listSegments,
  newestBase,
  parseHistory,
  parseSegmentName,
  segmentName,
  segmentOf,
  type TimelineStep,
  walFolder,
} from '../backup-folder.ts';
import { type Lsn, parseLsn } from '../replication.ts';

/** A log segment, and the file that has it. */
export interface LogFile {
  name: string;
  path: string;
  timeline: number;
  number: bigint;
}

export interface RestorePlan {
  base: BaseBackup;
  timeline: number;
  /** What is replayed after the base backup. */
  files: LogFile[];
  /** The histories of timelines that are known, by file name. */
  histories: ReadonlyMap<string, string>;
  /** The first segment that is missing between others; undefined where there is none. */
  missing: string | undefined;
}

export interface RestoreTarget {
  /** Milliseconds since 1970; undefined: the end of the log. */
  to?: number | undefined;
  /** undefined: the one that is archived. */
  timeline?: number | undefined;
}

const FOR_EVER: Lsn = 1n << 63n;

/** The timelines that lead to one, the oldest first. */
function chainOf(histories: ReadonlyMap<string, string>, timeline: number): TimelineStep[] {
  if (timeline === 1) return [{ timeline, endsAt: FOR_EVER }];
  const text = histories.get(historyName(timeline));
  if (text === undefined) throw new Error(`The archive knows of no timeline ${timeline}.`);
  return [...parseHistory(text), { timeline, endsAt: FOR_EVER }];
}

function isOnChain(chain: readonly TimelineStep[], { timeline, stopLsn }: BaseBackup): boolean {
  return chain.some((step) => step.timeline === timeline && parseLsn(stopLsn) <= step.endsAt);
}

/**
 * Chooses the base backup and the log segments that lead to a moment. Pure.
 * @throws Error with a message for the operator
 */
export function planRestore(
  known: {
    bases: readonly BaseBackup[];
    files: readonly LogFile[];
    histories: ReadonlyMap<string, string>;
    segmentBytes: number;
    timeline: number;
  },
  { to, timeline: asked }: RestoreTarget,
): RestorePlan {
  const { bases, histories, segmentBytes } = known;
  const timeline = asked ?? known.timeline;
  const chain = chainOf(histories, timeline);
  const usable = bases.filter((base) => isOnChain(chain, base));
  const base = newestBase(usable, to);
  if (!base) {
    const [first] = usable;
    throw new Error(
      first
        ? `The oldest base backup is of ${first.endedAt}; no moment before can be restored.`
        : `There is no base backup for timeline ${timeline}.`,
    );
  }
  const first = segmentOf(parseLsn(base.startLsn), segmentBytes);
  const steps = new Map(chain.map((step) => [step.timeline, step.endsAt]));
  const files = known.files.filter((file) => {
    const endsAt = steps.get(file.timeline);
    return endsAt !== undefined && file.number >= first && file.number <= segmentOf(endsAt, segmentBytes);
  });
  const there = new Set(files.map(({ number }) => number));
  const last = files.reduce((max, { number }) => (number > max ? number : max), first);
  let missing: string | undefined;
  // The base backup has its own part of the log.
  for (let number = segmentOf(parseLsn(base.stopLsn), segmentBytes) + 1n; number < last && !missing; number += 1n) {
    if (!there.has(number)) missing = segmentName(timeline, number, segmentBytes);
  }
  return { base, timeline, files, histories, missing };
}

/** The first page of a segment says where it is in the log; one that is kept for later use says something else. */
function isWritten(path: string, number: bigint, segmentBytes: number): boolean {
  const header = Buffer.alloc(16);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, 16, 0);
  } finally {
    closeSync(file);
  }
  return header.readBigUInt64LE(8) === number * BigInt(segmentBytes);
}

/** The system identifier of a cluster that is not running. */
function readSystemId(cluster: string): string | undefined {
  const path = join(cluster, 'global', 'pg_control');
  return existsSync(path) ? readFileSync(path).readBigUInt64LE(0).toString() : undefined;
}

/** What the archive has, and what the cluster that is replaced has beyond it. */
export interface KnownLog {
  bases: BaseBackup[];
  files: LogFile[];
  histories: Map<string, string>;
  segmentBytes: number;
  timeline: number;
  /** Whether the replaced cluster is there, whose log has every commit. */
  hasOwnLog: boolean;
}

/** @param replaced the folder of the cluster that is replaced, if there is one */
export function readKnownLog(folder: string, cluster: BackedUpCluster, replaced?: string): KnownLog {
  const { segmentBytes, timeline: archivedTimeline } = cluster;
  const histories = new Map(
    listHistories(folder).map((name) => [name, readFileSync(join(walFolder(folder), name), 'utf8')]),
  );
  const archived = listSegments(folder, segmentBytes);
  const byName = new Map<string, LogFile>();
  // A whole segment comes before a partial one by its name; one that is archived twice is whole.
  for (const { name, file, timeline, number } of archived.toSorted((one) => (one.isWhole ? 1 : -1)))
    byName.set(name, { name, path: join(walFolder(folder), file), timeline, number });
  const wal = join(replaced ?? '', 'pg_wal');
  const archivedTo = archived.reduce((max, { number }) => (number > max ? number : max), 0n);
  let hasOwnLog = false;
  if (replaced !== undefined && existsSync(wal) && readSystemId(replaced) === cluster.systemId) {
    const whole = new Set(archived.filter(({ isWhole }) => isWhole).map(({ name }) => name));
    for (const name of readdirSync(wal)) {
      const path = join(wal, name);
      if (/^[0-9A-F]{8}\.history$/.test(name)) histories.set(name, readFileSync(path, 'utf8'));
      if (!/^[0-9A-F]{24}$/.test(name) || whole.has(name)) continue;
      const parsed = parseSegmentName(name, segmentBytes);
      if (!isWritten(path, parsed.number, segmentBytes)) continue;
      byName.set(name, { name, path, ...parsed });
      // An old copy of the cluster ends before the archive does.
      hasOwnLog ||= parsed.number >= archivedTo;
    }
  }
  return {
    bases: listBases(folder),
    files: [...byName.values()],
    histories,
    segmentBytes,
    timeline: archivedTimeline,
    hasOwnLog,
  };
}
