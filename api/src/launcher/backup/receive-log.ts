import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { Log } from '../../base/log.ts';
import { BACKUP_SLOT } from './backed-up-server.ts';
import {
  claimBackupFolder,
  historyName,
  listSegments,
  parseHistory,
  segmentName,
  segmentOf,
  walFolder,
  writeWhole,
} from './backup-folder.ts';
import {
  connectReplication,
  formatLsn,
  identify,
  type Lsn,
  parseLsn,
  type Replication,
  readSegmentBytes,
} from './replication.ts';

const compress = promisify(gzip);
/** How often what came is brought to the disk, which the server is told of. */
const SYNC_MS = 1_000;
/** Microseconds from 1970 to 2000, from which the server counts. */
const EPOCH_2000_US = 946_684_800_000_000n;

const DUPLICATE_OBJECT = '42710';
const UNDEFINED_FILE = '58P01';
const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

interface LogWriter {
  /** Up to which position all is on the disk. */
  readonly syncedTo: Lsn;
  write(at: Lsn, data: Buffer): Promise<void>;
  sync(): void;
  close(): void;
}

/** Writes the log of one timeline as segments: the current one as `….partial`, whole ones compressed. */
function openLogWriter(folder: string, timeline: number, segmentBytes: number, start: Lsn): LogWriter {
  const size = BigInt(segmentBytes);
  let open: { number: bigint; path: string; name: string; file: number } | undefined;
  let writtenTo = start;
  let syncedTo = start;

  function segmentAt(lsn: Lsn) {
    const number = segmentOf(lsn, segmentBytes);
    if (open?.number === number) return open;
    const name = segmentName(timeline, number, segmentBytes);
    const path = join(walFolder(folder), `${name}.partial`);
    // What is there already is the same up to where it ends, so that nothing is lost while it is written again.
    const file = openSync(path, existsSync(path) ? 'r+' : 'w', 0o600);
    ftruncateSync(file, segmentBytes);
    open = { number, path, name, file };
    return open;
  }
  async function finish(): Promise<void> {
    if (!open) return;
    const { file, path, name } = open;
    fdatasyncSync(file);
    closeSync(file);
    open = undefined;
    const whole = join(walFolder(folder), `${name}.gz`);
    writeWhole(whole, await compress(readFileSync(path), { level: constants.Z_BEST_SPEED }));
    rmSync(path);
    syncedTo = writtenTo;
  }
  return {
    get syncedTo() {
      return syncedTo;
    },
    async write(at, data) {
      let rest = data;
      let lsn = at;
      while (rest.length > 0) {
        const offset = Number(lsn % size);
        const part = rest.subarray(0, segmentBytes - offset);
        const { file } = segmentAt(lsn);
        for (let done = 0; done < part.length; ) done += writeSync(file, part, done, part.length - done, offset + done);
        lsn += BigInt(part.length);
        writtenTo = lsn;
        rest = rest.subarray(part.length);
        if (lsn % size === 0n) await finish();
      }
    },
    sync() {
      if (open && writtenTo > syncedTo) fdatasyncSync(open.file);
      syncedTo = writtenTo;
    },
    close() {
      if (open) closeSync(open.file);
      open = undefined;
    },
  };
}

function statusUpdate(syncedTo: Lsn): Buffer {
  const message = Buffer.alloc(34);
  message.write('r', 0);
  for (const at of [1, 9, 17]) message.writeBigInt64BE(syncedTo, at);
  message.writeBigInt64BE(BigInt(Date.now()) * 1000n - EPOCH_2000_US, 25);
  return message;
}

async function makeSlot(replication: Replication): Promise<Lsn> {
  try {
    await replication.run(`CREATE_REPLICATION_SLOT ${BACKUP_SLOT} PHYSICAL (RESERVE_WAL)`);
  } catch (error) {
    if (codeOf(error) !== DUPLICATE_OBJECT) throw error;
  }
  const [[[, lsn] = []] = []] = await replication.run(`READ_REPLICATION_SLOT ${BACKUP_SLOT}`);
  if (lsn) return parseLsn(lsn);
  // The server gave up the log that the slot had kept.
  await replication.run(`DROP_REPLICATION_SLOT ${BACKUP_SLOT}`);
  return makeSlot(replication);
}

/** Stores the history of the server's timeline, and returns where the timeline begins. */
async function storeHistory(replication: Replication, folder: string, timeline: number): Promise<Lsn> {
  if (timeline === 1) return 0n;
  const path = join(walFolder(folder), historyName(timeline));
  if (!existsSync(path)) {
    const [[[, content] = []] = []] = await replication.run(`TIMELINE_HISTORY ${timeline}`);
    writeWhole(path, content ?? '');
  }
  return parseHistory(readFileSync(path, 'utf8')).at(-1)?.endsAt ?? 0n;
}

export interface LogReceiver {
  readonly timeline: number;
  readonly hasEnded: boolean;
  /** Resolves when the server has ended the connection in order, and rejects when it is lost. */
  done: Promise<void>;
  close(): Promise<void>;
}

/** Where the archive goes on: after its last whole segment of the timeline. */
function continueAt(folder: string, timeline: number, segmentBytes: number, kept: Lsn, beginsAt: Lsn): Lsn {
  const last = listSegments(folder, segmentBytes).findLast((one) => one.isWhole && one.timeline === timeline);
  const first = segmentOf(kept > beginsAt && last === undefined ? kept : beginsAt, segmentBytes);
  return (last ? last.number + 1n : first) * BigInt(segmentBytes);
}

/** What the archive has to know of the server before it goes on. */
async function prepareArchive(replication: Replication, folder: string) {
  const { systemId, timeline } = await identify(replication);
  const segmentBytes = await readSegmentBytes(replication);
  const [[[version = ''] = []] = []] = await replication.run('SHOW server_version_num');
  const major = String(Math.floor(Number(version) / 10_000));
  claimBackupFolder(folder, { systemId, major, segmentBytes, timeline });
  const kept = await makeSlot(replication);
  return { timeline, segmentBytes, kept, beginsAt: await storeHistory(replication, folder, timeline) };
}

/**
 * Archives the server's log as it is written: no commit is more than about a second away from the disk of the backups.
 * The server keeps what is not archived yet, in a replication slot.
 */
export async function receiveLog(databaseUrl: string, folder: string, log: Log): Promise<LogReceiver> {
  const replication = await connectReplication(databaseUrl, 'lotwatch-log-archive');
  const prepared = await prepareArchive(replication, folder).catch(async (error: unknown) => {
    await replication.end();
    throw error;
  });
  const { timeline, segmentBytes, kept, beginsAt } = prepared;

  let hasEnded = false;
  let writer: LogWriter | undefined;
  let queue: Promise<void> = Promise.resolve();
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  let isStreaming = false;
  const report = () => {
    if (!isStreaming) return;
    writer?.sync();
    replication.send(statusUpdate(writer?.syncedTo ?? 0n));
  };
  const stream = (start: Lsn) => {
    const archive = openLogWriter(folder, timeline, segmentBytes, start);
    writer = archive;
    return replication.run(`START_REPLICATION SLOT ${BACKUP_SLOT} PHYSICAL ${formatLsn(start)} TIMELINE ${timeline}`, {
      onCopied(chunk, { stream: socket }) {
        isStreaming = true;
        const isData = chunk[0] === 0x77;
        const mustReply = chunk[0] === 0x6b && chunk[17] === 1;
        if (!isData && !mustReply) return;
        const at = chunk.readBigInt64BE(1);
        const data = isData ? Buffer.from(chunk.subarray(25)) : Buffer.alloc(0);
        socket.pause();
        queue = queue
          .then(() => (isData ? archive.write(at, data) : report()))
          .then(() => socket.resume())
          .catch(fail);
      },
    });
  };
  const timer = setInterval(() => {
    queue = queue.then(report).catch(fail);
  }, SYNC_MS);

  async function run(): Promise<void> {
    const start = continueAt(folder, timeline, segmentBytes, kept, beginsAt);
    try {
      await Promise.race([stream(start), failed]);
    } catch (error) {
      const from = segmentOf(kept, segmentBytes) * BigInt(segmentBytes);
      if (codeOf(error) !== UNDEFINED_FILE || from <= start) throw error;
      log.warn('the archive of the log has a gap, and begins again', { from: formatLsn(start), at: formatLsn(from) });
      await Promise.race([stream(from), failed]);
    }
    await queue;
  }
  const done = run().finally(async () => {
    hasEnded = true;
    clearInterval(timer);
    try {
      writer?.sync();
    } finally {
      writer?.close();
      await replication.end();
    }
  });
  done.catch(() => {});
  return {
    timeline,
    get hasEnded() {
      return hasEnded;
    },
    done,
    async close() {
      await queue.catch(() => {});
      await replication.end();
      await done.catch(() => {});
    },
  };
}
