import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/base/free-port.ts';
import { dieWithParent } from '../../src/launcher/processes/die-with-parent.ts';

const binary = fileURLToPath(new URL('../../../.cache/ferretdb', import.meta.url));

function isOpen(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end();
      settle(true);
    });
    socket.on('error', () => settle(false));
  });
}

/** The stand-in for MongoDB that the tests build, started in `folder`; null where it isn't there. */
export async function startMongoStandIn(folder: string): Promise<{ url: string; stop(): void } | null> {
  if (!existsSync(binary)) return null;
  const port = await freePort();
  const [program = '', ...args] = [
    ...dieWithParent('KILL'),
    binary,
    ...['--handler=sqlite', `--sqlite-url=file:${folder}/`, `--listen-addr=127.0.0.1:${port}`],
    ...[`--state-dir=${folder}`, '--telemetry=disable', '--debug-addr=-'],
  ];
  const server = spawn(program, args, { stdio: 'ignore' });
  for (let attempt = 0; attempt < 100 && !(await isOpen(port)); attempt++) await sleep(100);
  return { url: `mongodb://127.0.0.1:${port}/lotwatch`, stop: () => void server.kill('SIGKILL') };
}
