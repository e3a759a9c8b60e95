import { parseArgs } from 'node:util';
import type { Pool } from '../base/database.ts';
import { readSettings, type Settings } from '../base/settings/settings.ts';
import { isMigrated, withPrepareLock } from '../launcher/postgres/prepare-database.ts';
import { addServer } from '../placement/add-server.ts';
import { distributeDatabase } from '../placement/distribute-database.ts';
import { moveShard } from '../placement/move-shard.ts';
import { readLayout, requireOwnerConnection } from '../placement/prepare-layout.ts';
import { howToComplete, nameOf, readServers, readShards } from '../placement/servers.ts';
import { databaseUrl, exitWith, print, UsageError, withDatabase } from './open-database.ts';

const USAGE = `npm run -s shards -- status
npm run -s shards -- move SHARD HOST:PORT [--block-writes]
npm run -s shards -- move --user ID HOST:PORT [--block-writes]
npm run -s shards -- add-node HOST PORT
npm run -s shards -- distribute
`;

/** A shard of hundreds of gigabytes is copied by one statement. */
const COPY_MS = 24 * 3_600_000;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function positive(text: string | undefined): number {
  if (!/^[1-9]\d{0,14}$/.test(text ?? '')) throw new UsageError(USAGE);
  return Number(text);
}

/** Prints each server and each shard. @returns whether all is as it has to be */
async function printStatus(pool: Pool): Promise<boolean> {
  const servers = await readServers(pool);
  for (const server of servers) print({ server: nameOf(server), ...server });
  const shards = await readShards(pool);
  for (const shard of shards)
    print({ shard: shard.id, server: nameOf(shard), bytes: shard.bytes, isCounted: shard.isCounted });
  for (const server of servers.filter(({ isWhole }) => !isWhole)) say(howToComplete(server));
  for (const server of servers.filter(({ isAway, isWhole }) => isAway && isWhole))
    say(`${nameOf(server)} does not answer: ${server.fault}`);
  const moved = shards.filter(({ isCounted }) => isCounted === false);
  for (const shard of moved)
    say(
      `Shard ${shard.id} was moved past LotWatch, so that no match of its users can be written: npm run -s shards -- move ${shard.id} ${nameOf(shard)}`,
    );
  return moved.length === 0 && servers.every(({ isAway, isWhole }) => !isAway && isWhole);
}

/** While it runs no process prepares the database, which would use it then. */
async function distribute(pool: Pool, { databaseOwnerUrl, databaseDirectUrl }: Settings): Promise<void> {
  requireOwnerConnection('citus', {
    DATABASE_OWNER_URL: databaseOwnerUrl !== undefined,
    DATABASE_DIRECT_URL: databaseDirectUrl !== undefined,
  });
  await withPrepareLock(pool, async () => {
    if (!(await isMigrated(pool)))
      throw new UsageError('The database is not of this version yet: start LotWatch once, and stop it.');
    await distributeDatabase(pool, say);
  });
}

async function run(pool: Pool, [verb, ...rest]: string[], user: string | undefined, blocks: boolean): Promise<void> {
  if (verb === 'distribute') return distribute(pool, readSettings({ ...process.env, ROLE: 'all' }));
  if ((await readLayout(pool)) !== 'citus') throw new UsageError('The tables of this database are on one server.');
  if (verb === 'status') {
    if (!(await printStatus(pool))) throw new UsageError('Not all is as it has to be.');
  } else if (verb === 'move') {
    const target = rest.at(-1) ?? '';
    const wanted = user === undefined ? { shard: positive(rest[0]) } : { user: positive(user) };
    await moveShard(pool, wanted, target, { transfer: blocks ? 'block_writes' : 'force_logical', say });
  } else {
    await addServer(
      pool,
      databaseUrl(readSettings({ ...process.env, ROLE: 'all' })),
      rest[0] ?? '',
      positive(rest[1]),
      say,
    );
    say(`Move shards to it: npm run -s shards -- status, then npm run -s shards -- move SHARD ${rest.join(':')}`);
  }
}

async function main(): Promise<void> {
  const options = { user: { type: 'string' }, 'block-writes': { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: process.argv.slice(2), allowPositionals: true, options });
  const needed = { status: 1, move: values.user === undefined ? 3 : 2, 'add-node': 3, distribute: 1 }[
    positionals[0] ?? ''
  ];
  if (needed !== positionals.length) throw new UsageError(USAGE);
  await withDatabase(
    'lotwatch-shards',
    'select layout from database_layout',
    (pool) => run(pool, positionals, values.user, values['block-writes'] === true),
    COPY_MS,
  );
}

exitWith(main());
