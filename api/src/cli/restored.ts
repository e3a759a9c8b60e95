import { parseArgs } from 'node:util';
import { makePool, type Pool } from '../base/database.ts';
import { inRetriedTransaction } from '../base/retried-transaction.ts';
import { readSettings } from '../base/settings/settings.ts';
import { writeAuditLog } from '../entities/audit-log.ts';
import { type ChannelName, channelList } from '../entities/delivery-channels.ts';
import { compareRestored, markRestored } from '../notify/restored/mark-restored.ts';
import { readLost } from '../notify/restored/read-lost.ts';
import {
  discardWaiting,
  type HeldRestore,
  type MessageFilter,
  readLostMessages,
  readRestore,
  readRestoredWaiting,
  releaseHeld,
} from '../notify/restored/restored-messages.ts';
import { keepDecisions, readDecisions, readSessionIds } from '../rights/keep-decisions.ts';
import { exitWith, openPool, print, refuseDistributed, UsageError, withDatabase } from './open-database.ts';
import { readMoment } from './read-moment.ts';

const USAGE = `npm run -s restored -- list [--channel C] [--alert N] [--address A] [--first N]
npm run -s restored -- discard --all | [--channel C] [--alert N] [--address A]
npm run -s restored -- release [--channel C]
npm run -s restored -- hold --to 2026-11-26T17:00:00Z [--ahead postgres://…] [--complete]
npm run -s restored -- compare --ahead postgres://… [--complete]
`;
const LISTED = 100;
/** A commit may come so much later than the times that it writes. */
const MARGIN_MS = 60_000;
const verbs = ['list', 'discard', 'release', 'hold', 'compare'] as const;

const options = {
  channel: { type: 'string' },
  alert: { type: 'string' },
  address: { type: 'string' },
  first: { type: 'string' },
  all: { type: 'boolean' },
  to: { type: 'string' },
  ahead: { type: 'string' },
  complete: { type: 'boolean' },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

interface Command {
  verb: (typeof verbs)[number];
  values: Values;
  filter: MessageFilter;
  first: number;
}

function positive(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError(`${name} must be a number above 0, not ${text}.`);
  return Number(text);
}

function readChannel(text: string | undefined): ChannelName | undefined {
  const known = channelList.map(({ name }) => name);
  const found = known.find((name) => name === text);
  if (text !== undefined && !found) throw new UsageError(`--channel must be ${known.join(', ')}, not ${text}.`);
  return found;
}

function readCommand(args: string[]): Command {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const verb = verbs.find((one) => one === positionals[0]);
  if (!verb || positionals.length > 1) throw new UsageError(USAGE);
  const { address } = values;
  const filter = { channel: readChannel(values.channel), alertId: positive(values.alert, '--alert'), address };
  const hasFilter = Object.values(filter).some((value) => value !== undefined);
  if (verb === 'discard' && hasFilter === (values.all === true)) throw new UsageError(USAGE);
  if (verb === 'release' && (filter.alertId !== undefined || address !== undefined)) throw new UsageError(USAGE);
  if (verb === 'hold' && values.to === undefined) throw new UsageError(USAGE);
  if (verb === 'compare' && values.ahead === undefined) throw new UsageError(USAGE);
  return { verb, values, filter, first: positive(values.first, '--first') ?? LISTED };
}

async function list(pool: Pool, restore: HeldRestore, { filter, first }: Command): Promise<void> {
  print(restore);
  for (const message of await readLostMessages(pool, filter, first)) {
    const verdict = message.status === 'sent' || message.channel === 'sms' ? 'not sent again' : 'sent again on release';
    print({ lost: message, verdict });
  }
  const until = restore.isComplete ? 'was not sent' : `was not sent before ${restore.knownUntil.toISOString()}`;
  for (const message of await readRestoredWaiting(pool, filter, first)) print({ waiting: message, verdict: until });
}

async function change(pool: Pool, restore: HeldRestore, { verb, filter }: Command): Promise<void> {
  await inRetriedTransaction(pool, async (client) => {
    const where = [filter.channel, filter.alertId === undefined ? undefined : `alert ${filter.alertId}`];
    // The log names no person, so that an address is left out.
    const named = where.filter((part) => part !== undefined).join(', ');
    const subject = `restore ${restore.id}${named === '' ? '' : `: ${named}`}`;
    if (verb === 'discard') {
      const { held } = restore;
      const open = channelList.map(({ name }) => name).filter((name) => !held.includes(name));
      if (filter.channel === undefined ? open.length > 0 : open.includes(filter.channel))
        throw new UsageError(`Messages by ${open.join(', ')} are not held any more. Name a --channel that is.`);
      await discardWaiting(client, filter);
    } else if (!(await releaseHeld(client, filter.channel))) {
      throw new UsageError('Nothing is held.');
    }
    const action = verb === 'discard' ? 'messages.discard' : 'messages.release';
    await writeAuditLog(client, { actor: 'command', action, subject, outcome: 'done' });
  });
}

/**
 * Connects to one's own server, by the role that owns the tables.
 * @throws LayoutError where these are distributed, and another database is to be read, as no server alone has what was sent
 */
async function openOwned(verb: 'hold' | 'compare', { ahead }: Values): Promise<Pool> {
  const settings = readSettings({ ...process.env, ROLE: 'all' });
  const url = settings.databaseOwnerUrl ?? settings.databaseDirectUrl ?? settings.databaseUrl;
  if (url === undefined) throw new UsageError('npm run restore marks the embedded PostgreSQL by itself.');
  const pool = await openPool(url, 1, 'lotwatch-restored');
  try {
    if (ahead !== undefined) refuseDistributed(`npm run restored -- ${verb} --ahead`);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Reads from the server that was lost, such as a former primary, what this database has forgotten. */
async function compare({ values }: Command): Promise<void> {
  const pool = await openOwned('compare', values);
  const ahead = makePool(values.ahead ?? '', 1, 'lotwatch-restored');
  try {
    const restore = await readRestore(pool);
    if (!restore || restore.held.length === 0) throw new UsageError('Nothing is held.');
    const lost = await readLost(ahead, new Date(restore.restoredTo.getTime() - MARGIN_MS));
    const marked = await compareRestored(pool, restore.id, lost, values.complete === true);
    await keepDecisions(pool, await readDecisions(ahead), marked.erased, await readSessionIds(ahead));
    print(marked);
  } finally {
    await Promise.all([pool.end(), ahead.end()]);
  }
}

/** Marks a database of one's own server as restored. The role must own the tables. */
async function hold({ values }: Command): Promise<void> {
  const restoredTo = readMoment(values.to ?? '', '--to');
  const pool = await openOwned('hold', values);
  const ahead = values.ahead === undefined ? undefined : makePool(values.ahead, 1, 'lotwatch-restored');
  try {
    const lost = ahead && (await readLost(ahead, restoredTo));
    const isComplete = values.complete === true && lost !== undefined;
    const marked = await markRestored(pool, { restoredTo, lost, isComplete });
    await keepDecisions(pool, ahead && (await readDecisions(ahead)), marked.erased);
    print(marked);
  } finally {
    await Promise.all([pool.end(), ahead?.end()]);
  }
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (command.verb === 'hold') return hold(command);
  if (command.verb === 'compare') return compare(command);
  await withDatabase('lotwatch-restored', 'select held from restores limit 0', async (pool) => {
    const restore = await readRestore(pool);
    if (!restore) throw new UsageError('This database was never restored.');
    if (command.verb !== 'list') await change(pool, restore, command);
    await list(pool, (await readRestore(pool)) ?? restore, command);
  });
}

exitWith(main());
