import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/base/free-port.ts';
import { dieWithParent } from '../../src/launcher/processes/os-processes.ts';

const program = fileURLToPath(import.meta.resolve('@stoplight/prism-cli/dist/index.js'));
const TIMEOUT_MS = 90_000;

/** A deviation from the description that Prism found; `place` begins with `request` or `response`. */
interface Violation {
  place: string;
  message: string;
}

export interface Prism {
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts Prism as a proxy to a server. It forwards every answer and reports deviations in a header. With `--errors` it
 * would answer itself and hide the server's answer.
 * @param file the server's OpenAPI document
 */
export function startPrism(file: string, upstream: string): Promise<Prism> {
  return start(['proxy', file, upstream]);
}

/** The same proxy, which itself refuses what deviates: an invalid request gets 422, an invalid answer 500. */
export function startStrictPrism(file: string, upstream: string): Promise<Prism> {
  return start(['proxy', file, upstream, '--errors']);
}

/** Starts Prism in place of a server: it answers with the examples of the description and refuses invalid requests. */
export function startPrismServer(file: string): Promise<Prism> {
  return start(['mock', file, '--errors']);
}

async function start(what: readonly string[]): Promise<Prism> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const quiet = ['--verboseLevel', 'fatal', '--cors', 'false', '--multiprocess', 'false'];
  const args = [program, ...what, '--port', String(port), ...quiet];
  const [command = '', ...rest] = [...dieWithParent('KILL'), process.execPath, ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const isThere = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  for (const end = Date.now() + TIMEOUT_MS; !(await isThere()); await sleep(50)) {
    if (Date.now() < end && child.exitCode === null) continue;
    child.kill('SIGKILL');
    throw new Error(`Prism did not start:\n${output}`);
  }
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Reads Prism's header. A list that was cut off because of its length counts as one violation. */
export function violationsIn(headers: Headers): Violation[] {
  const text = headers.get('sl-violations');
  if (text === null) return [];
  try {
    const found = JSON.parse(text) as { location: string[]; message: string }[];
    return found.map(({ location, message }) => ({ place: location.join('.'), message }));
  } catch {
    return [{ place: 'response', message: text }];
  }
}
