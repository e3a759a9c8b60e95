import { ftruncateSync, mkdirSync, writeSync } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { IsHeld } from '../base/advisory-lock.ts';
import type { Mailer, OutgoingMail } from './mail.ts';

/** One line of the outbox; operators read these names. */
export interface OutboxLine {
  id: string;
  channel: 'email' | 'sms' | 'push';
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  alertId: number | null;
  matchIds: string[];
  notificationId: number | null;
  notificationIds: number[];
  sentAt: string;
}

export interface OutboxMailer extends Mailer {
  close(): Promise<void>;
}

/** The outbox file, as one process uses it. */
export interface Outbox {
  /** Resolves once the line is on disk. A line whose id is in the file already is not written again. */
  append(line: OutboxLine): Promise<void>;
  has(id: string): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiting {
  id: string;
  line: string;
  resolve(): void;
  reject(error: unknown): void;
}

const CHUNK = 1 << 20;
const NEWLINE = 10;
const STALE_MS = 5_000;
const TRIES = 3;

/** The path of a data folder's outbox. */
export function outboxFile(dataDir: string): string {
  return join(dataDir, 'outbox.ndjson');
}

export function idOf(line: string): string | null {
  try {
    const { id } = JSON.parse(line) as { id?: unknown };
    return typeof id === 'string' ? id : null;
  } catch {
    return null;
  }
}

/** Reads whole lines from `from` on, each with where it ends; returns where the last whole line ends. */
export async function readLines(
  file: FileHandle,
  from: number,
  each: (line: string, end: number) => void,
): Promise<number> {
  let position = from;
  let rest = Buffer.alloc(0);
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK), 0, CHUNK, position);
    if (bytesRead === 0) return position - rest.length;
    position += bytesRead;
    rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const first = position - rest.length;
    let start = 0;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE, start)) {
      each(rest.toString('utf8', start, end), first + end + 1);
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
}

/** The lock was lost because this process was stopped for too long; nothing was written. */
class LockLost extends Error {
  constructor() {
    super('The lock of the outbox is lost.');
  }
}

/** @throws LockLost */
export function requireHeld(isHeld: IsHeld): void {
  if (!isHeld()) throw new LockLost();
}

/**
 * Repairs a half-written last line after a crash: a whole message without its line end is kept, anything else is cut off.
 * @param end where the last whole line ends
 */
async function repairLastLine(file: FileHandle, end: number, isHeld: IsHeld): Promise<void> {
  const { size } = await file.stat();
  if (end === size) return;
  const tail = Buffer.alloc(size - end);
  await file.read(tail, 0, tail.length, end);
  requireHeld(isHeld);
  if (idOf(tail.toString('utf8'))) writeSync(file.fd, '\n');
  else ftruncateSync(file.fd, end);
  await file.sync();
}

/** Runs work under the lock that all processes share that write to this outbox. */
export type OutboxGuard = (work: (isHeld: IsHeld) => Promise<void>) => Promise<void>;

/** Opens the file and repairs its last line. @param guard needed where several processes write to one file */
export async function makeOutbox(path: string, guard: OutboxGuard): Promise<Outbox> {
  mkdirSync(dirname(path), { recursive: true });
  let file = await open(path, 'a+', 0o600);
  const ids = new Set<string>();
  let readTo = 0;
  let waiting: Waiting[] = [];
  let writing: Promise<void> = Promise.resolve();

  /** Reopens the file when it was replaced by a purge or deleted by an operator. */
  const reopenIfReplaced = async () => {
    const there = await stat(path).catch(() => null);
    if (there?.ino === (await file.stat()).ino) return;
    const next = await open(path, 'a+', 0o600);
    await file.close();
    file = next;
    readTo = 0;
  };

  const readNew = async () => {
    await reopenIfReplaced();
    readTo = await readLines(file, readTo, (line) => {
      const id = idOf(line);
      if (id) ids.add(id);
    });
  };

  /** Runs under the guard, since a half line may otherwise be one that another process is writing. */
  const catchUp = async (isHeld: IsHeld) => {
    await reopenIfReplaced();
    if ((await file.stat()).size === readTo) return;
    await readNew();
    await repairLastLine(file, readTo, isHeld);
    await readNew();
  };

  /** Retries work that was aborted because the lock was lost. */
  const withGuard = async (work: (isHeld: IsHeld) => Promise<void>) => {
    for (let tries = 1; ; tries++) {
      try {
        return await guard(work);
      } catch (error) {
        if (!(error instanceof LockLost) || tries === TRIES) throw error;
      }
    }
  };

  const truncate = (size: number) => {
    try {
      ftruncateSync(file.fd, size);
    } catch {
      // The next write repairs it.
    }
  };

  const write = async (batch: readonly Waiting[], isHeld: IsHeld) => {
    let before: number | null = null;
    try {
      await catchUp(isHeld);
      const { size } = await file.stat();
      const fresh = new Map(batch.filter(({ id }) => !ids.has(id)).map(({ id, line }) => [id, line]));
      const bytes = Buffer.from([...fresh.values()].join(''));
      // The write is synchronous: a process that is stopped before it would otherwise overwrite newer lines.
      requireHeld(isHeld);
      before = size;
      const bytesWritten = writeSync(file.fd, bytes);
      if (bytesWritten !== bytes.length) throw new Error('The outbox file was written only in part. Is the disk full?');
      await file.sync();
      // When no other process wrote in between, the lines need not be read back.
      if (readTo === before && (await file.stat()).size === before + bytes.length) {
        readTo += bytes.length;
        for (const id of fresh.keys()) ids.add(id);
      }
      for (const { resolve } of batch) resolve();
    } catch (error) {
      // Half a line would corrupt the next one. After a lost lock its next holder repairs the file.
      if (before !== null && isHeld()) truncate(before);
      throw error;
    }
  };

  /** All mails that came during the last write share one write and one sync. */
  const writeBatch = async () => {
    const batch = waiting;
    waiting = [];
    try {
      await withGuard((isHeld) => write(batch, isHeld));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  try {
    // Reading the lines of other processes may take long, and needs no lock.
    await readNew();
    await withGuard(catchUp);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    append(line) {
      return new Promise((resolve, reject) => {
        waiting.push({ id: line.id, line: `${JSON.stringify(line)}\n`, resolve, reject });
        if (waiting.length === 1) writing = writing.then(writeBatch);
      });
    },
    async has(id: string): Promise<boolean> {
      const read = writing.then(readNew);
      writing = read.catch(() => {});
      await read;
      return ids.has(id);
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}

/**
 * The mailer of a machine without SendGrid: appends one JSON line a mail, on disk before `send` resolves. It knows
 * every id in the file, so a mail is never written twice.
 * @param guard needed where several processes write to one file
 */
export async function makeOutboxMailer(
  path: string,
  guard: OutboxGuard = (work) => work(() => true),
): Promise<OutboxMailer> {
  const outbox = await makeOutbox(path, guard);
  return {
    send: (mail: OutgoingMail) =>
      outbox.append({
        id: mail.id,
        channel: 'email',
        kind: mail.kind,
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        headers: mail.replyTo ? { ...mail.headers, 'Reply-To': mail.replyTo } : mail.headers,
        alertId: mail.alertId,
        matchIds: mail.matchIds,
        notificationId: mail.notificationIds[0] ?? null,
        notificationIds: mail.notificationIds,
        sentAt: new Date().toISOString(),
      }),
    wasSent: (id) => outbox.has(id),
    // A mail that is delivered twice is written once.
    staleMs: STALE_MS,
    close: () => outbox.close(),
  };
}

/** Reads the newest messages, newest first. @param limit how many at most */
export async function readOutbox(path: string, limit: number): Promise<OutboxLine[]> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return [];
  try {
    const lines: string[] = [];
    await readLines(file, 0, (line) => {
      lines.push(line);
      if (lines.length > limit) lines.shift();
    });
    return lines
      .filter((line) => idOf(line) !== null)
      .map((line) => JSON.parse(line) as OutboxLine)
      .reverse();
  } finally {
    await file.close();
  }
}
