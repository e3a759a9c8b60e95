import type { Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import type { ChannelName } from '../../entities/delivery-channels.ts';

/** How long a process goes by what it has read, for a database that becomes another one while it runs. */
const FRESH_MS = 1_000;

interface Asked {
  atMs: number;
  channels: Promise<ReadonlySet<string>>;
}

const asked = new WeakMap<Pool, Asked>();
const told = new WeakSet<Pool>();

async function readHeld(pool: Pool, log: Log): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ held: string[] }>({
    name: 'notify-held-channels',
    text: "select held from restores where held <> '{}'",
  });
  const channels = new Set(rows.flatMap(({ held }) => held));
  if (channels.size > 0 && !told.has(pool)) {
    told.add(pool);
    log.warn('messages are held after a restore: npm run -s restored -- list', { channels: [...channels] });
  }
  return channels;
}

/** Whether nothing may leave by a channel, because an operator has not yet seen what a restored database forgot. */
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
