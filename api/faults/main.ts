import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { progress, readCount } from '../lab/command-line.ts';
import { untilTrue } from '../lab/until-true.ts';
import { freePort } from '../src/base/free-port.ts';
import { dieWithParent } from '../src/launcher/processes/os-processes.ts';
import { clusterKinds, type Kind, kinds } from './acts/act-plan.ts';
import { type InjectedFaultName, injectedFaultNames } from './failpoints/injected-faults.ts';
import { shortened, writeJournals } from './report-faults.ts';
import { runRolling } from './rolling/run-rolling.ts';
import { type RunOptions, type RunResult, runFaults } from './run-faults.ts';
import { fakeTimeLibrary } from './system/system.ts';
import { runTexts } from './texts/run-texts.ts';

const mongoSubstitute = fileURLToPath(new URL('../../.cache/ferretdb', import.meta.url));

/** Starts the substitute for MongoDB that the tests build, in `folder`; null where it was not built. */
async function startMongoSubstitute(folder: string): Promise<{ url: string; stop(): void } | null> {
  if (!existsSync(mongoSubstitute)) return null;
  const port = await freePort();
  const [program = '', ...args] = [
    ...dieWithParent('KILL'),
    mongoSubstitute,
    ...['--handler=sqlite', `--sqlite-url=file:${folder}/`, `--listen-addr=127.0.0.1:${port}`],
    ...[`--state-dir=${folder}`, '--telemetry=disable', '--debug-addr=-'],
  ];
  const server = spawn(program, args, { stdio: 'ignore' });
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.unref().on('connect', () => socket.end());
    });
  await untilTrue('the substitute for MongoDB', 10_000, isOpen, 100);
  return { url: `mongodb://127.0.0.1:${port}/lotwatch`, stop: () => void server.kill('SIGKILL') };
}

/** Null is a clock that is right. */
const CLOCKS = [null, '+11m', '-1d'] as const;

const sum = (lines: readonly Record<string, unknown>[], name: string): number =>
  lines.reduce((total, line) => total + Number(line[name]), 0);

/**
 * Runs three workers whose clocks differ, first with their jobs in PostgreSQL, then in the substitute for MongoDB; each run
 * has half of the acts, which are kills. Programs that are not installed are reported as not tested, which is no fault.
 */
async function runClocks(options: Omit<RunOptions, 'clocks' | 'mongoUrl'>): Promise<RunResult> {
  if (fakeTimeLibrary() === null) {
    progress('!!! NOT TESTED: workers whose clocks are wrong. Install faketime (libfaketimeMT.so.1). !!!');
    return { line: { faults: true, clocks: 'not tested: no faketime here' }, faults: [] };
  }
  const acts = Math.max(1, Math.round(options.acts / 2));
  const run = (name: string, mongoUrl?: string) => {
    const folder = join(options.folder, name);
    mkdirSync(folder, { recursive: true });
    return runFaults({ ...options, acts, only: ['kill'], folder, clocks: CLOCKS, ...(mongoUrl && { mongoUrl }) });
  };
  const results: Record<string, RunResult> = { postgres: await run('postgres') };
  const substitute = await startMongoSubstitute(options.folder);
  if (substitute) results.mongo = await run('mongo', substitute.url).finally(() => substitute.stop());
  else progress('!!! NOT TESTED: jobs kept in MongoDB. The tests build a substitute where Go is installed. !!!');

  const lines = Object.values(results).map(({ line }) => line);
  const names = ['acts', 'listings', 'expected', 'missing', 'extra', 'doubled', 'lost', 'mailsExpected', 'mailsLost'];
  const totals = Object.fromEntries([...names, 'mailsDoubled', 'mailsEarly'].map((name) => [name, sum(lines, name)]));
  return {
    line: {
      faults: true,
      ...totals,
      seed: options.seed,
      clocks: CLOCKS.map((clock) => clock ?? 'right'),
      jobs: Object.fromEntries(Object.entries(results).map(([name, { line }]) => [name, line])),
      ...(substitute ? {} : { mongo: 'not tested: no substitute here' }),
    },
    faults: Object.entries(results).flatMap(([name, { faults }]) => faults.map((fault) => `${name}: ${fault}`)),
  };
}

interface FaultOptions {
  acts: number;
  /** Which kinds of acts there are. */
  only: readonly Kind[];
  /** How many kills may follow one another before the recovery is awaited. */
  longestBurst: number;
  /** How long a recovery may take, where that is longer than usual. */
  recoveryMs?: number;
  seed: number;
  /** How long a process is paused. */
  pauseMs: number;
  inject: InjectedFaultName | undefined;
  clocks: boolean;
  /** Judges the texts instead of matches and mails. */
  sms: boolean;
  /** With few buyers and without the demo marketplace. */
  small: boolean;
  /** Upgrades and restarts processes behind a proxy under load. */
  rolling: boolean;
  /** How long that takes. */
  minutes: number;
  /** Requests a second meanwhile, where they are not the usual ones. */
  requests?: number;
  /** Whether statements go through PgBouncer meanwhile. */
  pooler: boolean;
  /** The coordinator of a cluster that is used instead of a server of this run. */
  cluster: string | undefined;
  /** The folder of all files; kept when it is given. */
  folder: string | undefined;
}

const DEFAULT_ACTS = 25;
const DEFAULT_PAUSE_SECONDS = 20;
const DEFAULT_MINUTES = 10;

function readOnly(text: string | undefined, possible: readonly Kind[]): readonly Kind[] {
  if (text === undefined) return possible;
  return text.split(',').map((name) => {
    const kind = possible.find((one) => one === name);
    if (!kind) throw new Error(`--only is of ${possible.join(', ')}, with commas between, not ${name}`);
    return kind;
  });
}

/** @throws Error that says what is wrong with the arguments */
function readOptions(args: readonly string[]): FaultOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      acts: text,
      kills: text,
      burst: text,
      only: text,
      seed: text,
      pause: text,
      recovery: text,
      plant: text,
      folder: text,
      clocks: { type: 'boolean', default: false },
      sms: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
      rolling: { type: 'boolean', default: false },
      minutes: text,
      requests: text,
      pooler: { type: 'boolean', default: false },
    },
  });
  const { CITUS_URL: cluster } = process.env;
  const faults = injectedFaultNames(Boolean(cluster));
  const inject = faults.find((name) => name === values.plant);
  if (values.plant !== undefined && !inject) throw new Error(`--plant is ${faults.join(', ')}, not ${values.plant}`);
  if (values.kills !== undefined && (values.acts ?? values.only) !== undefined)
    throw new Error('--kills N is short for --acts N --only kill: give one or the other');
  if (cluster && (values.clocks || values.sms || values.pooler))
    throw new Error('--clocks, --sms and --pooler are not for a cluster: unset CITUS_URL');
  const recoverySeconds = readCount('recovery', values.recovery);
  const requests = readCount('requests', values.requests);
  return {
    acts: readCount('acts', values.acts) ?? readCount('kills', values.kills) ?? DEFAULT_ACTS,
    only: values.kills === undefined ? readOnly(values.only, cluster === undefined ? kinds : clusterKinds) : ['kill'],
    cluster,
    longestBurst: readCount('burst', values.burst) ?? 1,
    ...(requests !== undefined && { requests }),
    ...(recoverySeconds !== undefined && { recoveryMs: recoverySeconds * 1_000 }),
    seed: readCount('seed', values.seed) ?? 1,
    pauseMs: (readCount('pause', values.pause) ?? DEFAULT_PAUSE_SECONDS) * 1_000,
    inject,
    clocks: values.clocks,
    sms: values.sms,
    small: values.small,
    rolling: values.rolling,
    pooler: values.pooler,
    minutes: readCount('minutes', values.minutes) ?? (values.small ? 1 : DEFAULT_MINUTES),
    folder: values.folder,
  };
}

async function main(): Promise<void> {
  const { clocks, sms, rolling, ...rest } = readOptions(process.argv.slice(2));
  const run = rolling ? runRolling : sms ? runTexts : clocks ? runClocks : runFaults;
  const folder = rest.folder ?? mkdtempSync(join(tmpdir(), 'lotwatch-faults-'));
  mkdirSync(folder, { recursive: true });
  if (rest.inject) progress(`!!! A fault is injected: ${rest.inject}. This run must find it. !!!`);
  const { line, faults } = await run({ ...rest, folder });
  for (const fault of shortened(faults)) progress(fault);
  writeJournals(folder, { faults: { line, faults } });
  if (rest.inject && faults.length === 0) progress('THE INJECTED FAULT WAS NOT FOUND: the oracle is useless.');
  process.stdout.write(`${JSON.stringify(line)}\n`);
  process.exitCode = faults.length > 0 ? 1 : rest.inject ? 2 : 0;
  if (rest.folder === undefined && faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else progress(`all faults, journals and logs are in ${folder}`);
}

main().catch((error: unknown) => {
  progress(error instanceof Error ? (error.stack ?? error.message) : String(error));
  // Processes that were started would keep this one alive.
  process.exit(1);
});
