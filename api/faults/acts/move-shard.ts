import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot } from '../../src/launcher/processes/node-child.ts';
import { dieWithParent } from '../../src/launcher/processes/os-processes.ts';
import { nameOf, readServers, readShards } from '../../src/placement/servers.ts';
import type { System } from '../system/system.ts';
import type { Act } from './act-plan.ts';

const COPYING = / is copied from /;
/** How long after the copy has begun something is killed, at most. */
const LATEST_MS = { waiting: 1_500, written: 6_000 };
const TRIES = 8;
const PAUSE_MS = 2_000;

interface Command {
  /** Resolves when rows are being copied, or the command has ended. */
  copying: Promise<void>;
  /** Its exit code; null where it was killed. */
  ended: Promise<number | null>;
  kill(): void;
}

/** Runs `npm run -s shards -- move` as an operator does, beside all processes. What it says is kept in `shards.log`. */
function runMove({ folder, database }: System, args: readonly string[]): Command {
  const say = (text: string) => appendFileSync(join(folder, 'shards.log'), text);
  say(`${new Date().toISOString()} move ${args.join(' ')}\n`);
  const [program = '', ...rest] = [
    ...dieWithParent('KILL'),
    process.execPath,
    ...['--import', './api/src/base/node-guard.mjs', '--import', 'tsx', 'api/src/cli/shards.ts', 'move'],
    ...args,
  ];
  const env = { ...process.env, NODE_ENV: undefined, DATABASE_URL: database.url, DATA_DIR: folder };
  const child = spawn(program, rest, { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe'], env });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const copying = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      say(String(chunk));
      if (COPYING.test(String(chunk))) resolve();
    });
    void ended.then(() => resolve());
  });
  return { copying, ended, kill: () => void child.kill('SIGKILL') };
}

/**
 * Moves a shard to another server. In the middle the command is killed, or a server of the move, where the act says so; then the
 * move is done again, as often as an operator would. @throws Error where it can't be done
 */
export async function moveAnyShard(system: System, act: Act & { kind: 'move' }, random: () => number): Promise<void> {
  const { cluster } = system.database;
  if (!cluster) throw new Error('there is one server');
  const any = <T>(list: readonly T[]): T => {
    const drawn = list[Math.floor(random() * list.length)];
    if (drawn === undefined) throw new Error('the cluster has no such thing');
    return drawn;
  };
  const shard = any(await readShards(system.pool));
  const target = any((await readServers(system.pool)).filter((one) => nameOf(one) !== nameOf(shard)));
  const args = [String(shard.id), nameOf(target), ...(act.waits ? ['--block-writes'] : [])];
  const first = runMove(system, args);
  if (act.killed) {
    await first.copying;
    await sleep(random() * (act.waits ? LATEST_MS.waiting : LATEST_MS.written));
    if (act.killed === 'command') first.kill();
    else await cluster.killAt(act.killed === 'source' ? shard.port : target.port);
  }
  let code = await first.ended;
  for (let tries = 2; code !== 0 && tries <= TRIES; tries += 1) {
    await sleep(PAUSE_MS);
    code = await runMove(system, args).ended;
  }
  if (code !== 0) throw new Error(`shard ${shard.id} can't be moved to ${nameOf(target)}: see shards.log`);
}
