import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReadReport } from './reading-child.ts';

const child = fileURLToPath(new URL('./reading-child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Reads one source in a process of its own, whose memory is its own. @param source as in SOURCES_FILE */
export async function readInChild(source: Record<string, unknown>): Promise<ReadReport> {
  const settings = { name: 'lot', allowPrivateNetwork: true, ...source };
  const process_ = spawn(process.execPath, ['--import', 'tsx', child, JSON.stringify(settings)], { cwd: root });
  let output = '';
  let errors = '';
  process_.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  process_.stderr.on('data', (part: Buffer) => {
    errors += part.toString();
  });
  const [code] = await once(process_, 'close');
  if (code !== 0) throw new Error(`The reading process ended with ${code}: ${errors.slice(-2000)}`);
  return JSON.parse(output) as ReadReport;
}
