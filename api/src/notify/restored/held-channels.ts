import type { Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import { type ChannelName, channelList } from '../../entities/delivery-channels.ts';
import { knowServer } from './know-server.ts';

/** How long a process goes by what it has read, for a database that becomes another one while it runs. */
const FRESH_MS = 1_000;

interface Asked {
  atMs: number;
  channels: Promise<ReadonlySet<string>>;
}

const asked = new WeakMap<Pool, Asked>();
const told = new WeakSet<Pool>();
const toldToWait = new WeakSet<Pool>();

async function readHeld(pool: Pool, log: Log): Promise<ReadonlySet<string>> {
  const { rows: running } = await pool.query<{ isLate: boolean }>({
    name: 'notify-running-server',
    text: `select coalesce(is_synchronous and not waits_for_standby(), false) as "isLate" from running_server
            where started_at = pg_postmaster_start_time()`,
  });
  if (running.length === 0) await knowServer(pool, log);
  if (running[0]?.isLate) {
    if (!toldToWait.has(pool))
      log.warn('messages wait, as the database server does not wait for a standby (DATABASE_SYNCHRONOUS)');
    toldToWait.add(pool);
    return new Set(channelList.map(({ name }) => name));
  }
  const { rows } = await pool.query<{ held: string[] }>({
    name: 'notify-held-channels',
    text: "select held from restores where held <> '{}'",
  });
  const channels = new Set(rows.flatMap(({ held }) => held));
  if (channels.size > 0 && !told.has(pool)) {
    told.add(pool);
    log.warn('messages are held: npm run -s restored -- list', { channels: [...channels] });
  }
  return channels;
}

/** Makes the next answer a fresh one, after a claim was refused. */
export function forgetHeld(pool: Pool): void {
  asked.delete(pool);
}

/**
 * Whether nothing may leave by a channel, because an operator has not yet seen what a restored or promoted database forgot.
 * Claims make sure in their own transactions, by `require_sendable`.
 */
export async function isHeldAfterRestore(pool: Pool, channel: ChannelName, log: Log): Promise<boolean> {
  const now = performance.now();
  let known = asked.get(pool);
  if (!known || now - known.atMs > FRESH_MS) {
    known = { atMs: now, channels: readHeld(pool, log) };
    asked.set(pool, known);
    known.channels.catch(() => asked.delete(pool));
  }
  return (await known.channels).has(channel);
}
