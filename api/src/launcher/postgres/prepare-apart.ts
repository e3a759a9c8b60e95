import { spawn } from 'node:child_process';
import { readLines } from '../output.ts';
import { collectLastLines } from '../processes/node-child.ts';
import { dieWithParent } from '../processes/os-processes.ts';
import type { PrepareAnswer, PrepareOrder } from './prepare.ts';

/**
 * Prepares the database in a process that ends with it, as the code of the migrations would stay in the launcher's memory.
 * @param args Node's arguments for running prepare.ts, which loads its code while `order` is awaited
 * @param onLine gets the lines of its log
 * @throws Error with a message for the operator
 */
export async function prepareApart(
  args: string[],
  order: Promise<PrepareOrder>,
  signal: AbortSignal,
  onLine: (line: string) => void,
): Promise<Exclude<PrepareAnswer, { fault: string }>> {
  const [program = '', ...rest] = [...dieWithParent('KILL'), process.execPath, ...args];
  const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
  const child = spawn(program, rest, { stdio: [...stdio], detached: true });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  const last = collectLastLines();
  readLines(child.stdout, last.add);
  readLines(child.stderr, (line) => {
    last.add(line);
    onLine(line);
  });
  const answer = new Promise<PrepareAnswer>((resolve) => {
    child.once('message', resolve);
    child.once('error', (error) => resolve({ fault: error.message }));
    child.once('close', (code, by) =>
      resolve({ fault: last.reason(`The preparation ended by ${by ?? `code ${code}`}`) }),
    );
  });
  void order.then((given) => child.connected && child.send(given, () => {}));
  const given = await answer;
  signal.removeEventListener('abort', kill);
  if ('fault' in given) throw new Error(given.fault);
  return given;
}
