import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { type Lsn, parseLsn } from './replication.ts';

/** For how many days any moment can be restored. */
export const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** What a base backup says of itself, in its file backup.json. */
export interface BaseBackup {
  name: string;
  systemId: string;
  /** The major version of PostgreSQL. */
  major: string;
  timeline: number;
  startLsn: string;
  stopLsn: string;
  startedAt: string;
  endedAt: string;
  /** The size of base.tar.gz in bytes, and what it is unpacked. */
  bytes: number;
  unpackedBytes: number;
  /** Of base.tar.gz. */
  sha256: string;
}

/** Of which cluster a backup folder is. */
export interface BackedUpCluster {
  systemId: string;
  major: string;
  segmentBytes: number;
  /** The timeline that is archived, which a restore follows. */
  timeline: number;
}

export const baseFolder = (folder: string): string => join(folder, 'base');
export const walFolder = (folder: string): string => join(folder, 'wal');
const PART = '.part';

/** Makes the backup folder, accessible only to its owner. @returns its absolute path */
export function makeBackupFolder(backupDir: string): string {
  const folder = resolve(backupDir);
  for (const path of [folder, baseFolder(folder), walFolder(folder)]) mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  return folder;
}

/** Waits until the disk has a file, or the names in a folder. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes a file as a whole or not at all. */
export function writeWhole(path: string, content: string | Buffer): void {
  writeFileSync(`${path}${PART}`, content, { mode: 0o600 });
  syncPath(`${path}${PART}`);
  renameSync(`${path}${PART}`, path);
  syncPath(join(path, '..'));
}

const clusterFile = (folder: string): string => join(folder, 'cluster.json');

export function readCluster(folder: string): BackedUpCluster | undefined {
  const path = clusterFile(folder);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as BackedUpCluster) : undefined;
}

/** Where a data folder remembers its backup folder. */
const rememberedIn = (dataDir: string): string => join(dataDir, 'backup-folder');

export const rememberBackupFolder = (folder: string, dataDir: string): void =>
  writeWhole(rememberedIn(dataDir), `${folder}\n`);

/**
 * Makes the backup folder of a data folder, or checks that it is the one of before: where the disk of it is away, another
 * one must not be begun in its place.
 * @returns its absolute path @throws Error with a message for the operator
 */
export function openBackupFolder(backupDir: string, dataDir: string): string {
  const path = rememberedIn(dataDir);
  const isKnown = existsSync(path) && readFileSync(path, 'utf8').trim() === resolve(backupDir);
  if (!isKnown || readCluster(backupDir)) return makeBackupFolder(backupDir);
  throw new Error(
    `${backupDir} has no backups, and had some before. Is its disk there? To begin again, delete ${path}.`,
  );
}

/**
 * Checks that a backup folder is of this cluster, or makes it so where it is empty.
 * @throws Error with a message for the operator
 */
export function claimBackupFolder(folder: string, cluster: BackedUpCluster): void {
  const known = readCluster(folder);
  if (known === undefined) {
    writeWhole(clusterFile(folder), `${JSON.stringify(cluster)}\n`);
    return;
  }
  const differs =
    known.systemId !== cluster.systemId
      ? 'another cluster'
      : known.major !== cluster.major
        ? `PostgreSQL ${known.major}`
        : undefined;
  if (differs === undefined) {
    if (known.timeline !== cluster.timeline) writeWhole(clusterFile(folder), `${JSON.stringify(cluster)}\n`);
    return;
  }
  throw new Error(
    `${folder} has backups of ${differs}, and this is PostgreSQL ${cluster.major} with the system identifier ${cluster.systemId}. ` +
      'Set BACKUP_DIR to another folder.',
  );
}

/**
 * The complete base backups of a folder, the oldest first. One that did not come to its end is none.
 * @param onDamaged called with the error of one whose description can't be read
 */
export function listBases(folder: string, onDamaged: (error: unknown) => void = () => {}): BaseBackup[] {
  if (!existsSync(baseFolder(folder))) return [];
  const names = readdirSync(baseFolder(folder)).filter((name) => !name.endsWith(PART));
  return names.sort().flatMap((name) => {
    const path = join(baseFolder(folder), name, 'backup.json');
    if (!existsSync(path)) return [];
    try {
      const info = JSON.parse(readFileSync(path, 'utf8')) as BaseBackup;
      if (
        ![info.startLsn, info.stopLsn].every((lsn) => /^[0-9A-F]+\/[0-9A-F]+$/.test(lsn)) ||
        !Date.parse(info.endedAt)
      )
        throw new Error('It says not from where to where it is.');
      return [{ ...info, name }];
    } catch (error) {
      onDamaged(new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error }));
      return [];
    }
  });
}

/** The folders of base backups that did not come to their end. */
export const listUnfinished = (folder: string): string[] =>
  readdirSync(baseFolder(folder))
    .filter((name) => name.endsWith(PART))
    .map((name) => join(baseFolder(folder), name));

const hex8 = (value: bigint | number): string => value.toString(16).toUpperCase().padStart(8, '0');

/** The name of the log segment with this number. */
export function segmentName(timeline: number, segment: bigint, segmentBytes: number): string {
  const perFile = 0x1_0000_0000n / BigInt(segmentBytes);
  return `${hex8(timeline)}${hex8(segment / perFile)}${hex8(segment % perFile)}`;
}

export const segmentOf = (lsn: Lsn, segmentBytes: number): bigint => lsn / BigInt(segmentBytes);

export interface Segment {
  /** 24 hexadecimal digits. */
  name: string;
  file: string;
  timeline: number;
  number: bigint;
  /** Whether the archive has all of it. */
  isWhole: boolean;
}

export function parseSegmentName(name: string, segmentBytes: number): { timeline: number; number: bigint } {
  const perFile = 0x1_0000_0000n / BigInt(segmentBytes);
  const part = (from: number) => BigInt(`0x${name.slice(from, from + 8)}`);
  return { timeline: Number(part(0)), number: part(8) * perFile + part(16) };
}

/** The archived log segments, in the order of their names. */
export function listSegments(folder: string, segmentBytes: number): Segment[] {
  if (!existsSync(walFolder(folder))) return [];
  return readdirSync(walFolder(folder))
    .filter((file) => /^[0-9A-F]{24}\.(gz|partial)$/.test(file))
    .sort()
    .map((file) => {
      const name = file.slice(0, 24);
      return { name, file, ...parseSegmentName(name, segmentBytes), isWhole: file.endsWith('.gz') };
    });
}

/** A timeline's parents: until which position each of them is part of its history. */
export interface TimelineStep {
  timeline: number;
  endsAt: Lsn;
}

export const historyName = (timeline: number): string => `${hex8(timeline)}.history`;

export function parseHistory(text: string): TimelineStep[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([timeline = '', lsn = '']) => /^\d+$/.test(timeline) && lsn.includes('/'))
    .map(([timeline, lsn]) => ({ timeline: Number(timeline), endsAt: parseLsn(lsn ?? '') }));
}

export const listHistories = (folder: string): string[] =>
  existsSync(walFolder(folder))
    ? readdirSync(walFolder(folder)).filter((file) => /^[0-9A-F]{8}\.history$/.test(file))
    : [];

/** The newest base backup from before a moment, by its end. */
export const newestBase = (bases: readonly BaseBackup[], before = Number.POSITIVE_INFINITY): BaseBackup | undefined =>
  bases.findLast(({ endedAt }) => Date.parse(endedAt) <= before);

/** The base backups that no moment of the last days needs. */
export function superfluousBases(bases: readonly BaseBackup[], now: number): BaseBackup[] {
  const oldest = newestBase(bases, now - KEPT_DAYS * DAY_MS);
  return oldest ? bases.filter(({ endedAt }) => endedAt < oldest.endedAt) : [];
}
