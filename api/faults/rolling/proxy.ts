import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { progress } from '../../lab/command-line.ts';
import { forkChild } from '../../lab/processes.ts';
import { untilTrue } from '../../lab/until-true.ts';
import { dieWithParent } from '../../src/launcher/processes/os-processes.ts';

/** The proxy before the apis. */
export interface TestProxy {
  /** 'haproxy 2.6.12', or 'node' where there is none. */
  name: string;
  stop(): Promise<void>;
}

const configuration = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url));
const places = [process.env.PATH ?? '', '/usr/sbin', '/usr/local/sbin'].join(':');

/** The version of the installed haproxy; null where there is none. */
function haproxyVersion(): string | null {
  const { status, stdout } = spawnSync('haproxy', ['-v'], { env: { PATH: places }, encoding: 'utf8' });
  return status === 0 ? (/version (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? 'unknown') : null;
}

/** Starts haproxy with the settings that we ship, or a proxy of our own that asks the apis the same. */
export async function startTestProxy(
  folder: string,
  port: number,
  apiPorts: readonly [number, number],
): Promise<TestProxy> {
  const version = haproxyVersion();
  if (version === null) {
    progress(
      '!!! There is no haproxy here: a proxy of Node’s own http takes its place. Install haproxy to test with it. !!!',
    );
    const child = await forkChild(new URL('./node-proxy.ts', import.meta.url), [port, ...apiPorts].map(String));
    return { name: 'node', stop: async () => child[Symbol.asyncDispose]() };
  }
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  const [program = '', ...args] = [...dieWithParent('KILL'), 'haproxy', '-db', '-f', configuration];
  const [api1, api2] = apiPorts.map((one) => `127.0.0.1:${one}`);
  const child = spawn(program, args, {
    stdio: ['ignore', log, log],
    env: { PATH: places, LISTEN: `127.0.0.1:${port}`, API_1: api1, API_2: api2 },
  });
  closeSync(log);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // It answers 503 as long as no api is there.
  const answers = async () => (await fetch(`http://127.0.0.1:${port}/livez`)).status > 0;
  await untilTrue('the start of haproxy', 10_000, answers, 50);
  return {
    name: `haproxy ${version}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
