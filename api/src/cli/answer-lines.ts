import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';

/** Reads the lines of a file that are not blank, separated by line feeds. @param path relative to the caller's folder */
async function* readLines(path: string): AsyncGenerator<string> {
  const stream = createReadStream(resolve(process.env.INIT_CWD ?? process.cwd(), path), { encoding: 'utf8' });
  let rest = '';
  let first = true;
  for await (const chunk of stream as AsyncIterable<string>) {
    const lines = (rest + (first ? chunk.replace(/^\ufeff/, '') : chunk)).split('\n');
    first = false;
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  if (rest.trim() !== '') yield rest;
}

const FLUSH_AT = 64 * 1024;
const PROGRESS_EVERY = 100_000;

/** The fields of a line. */
export type LineFields = Readonly<Record<string, unknown>>;

/** Reads a JSON line that has text under a key. @throws Error that describes the line's fault */
function readFields(line: string, key: string): LineFields {
  const value: unknown = JSON.parse(line);
  const fields = typeof value === 'object' && value !== null ? (value as LineFields) : {};
  if (typeof fields[key] !== 'string') throw new Error(`the line has no text under "${key}"`);
  return fields;
}

function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Answers each line of an NDJSON file with one JSON line on stdout, in order; progress goes to stderr.
 * @param key the key of the text that each line must have
 * @param answer gets that text, and all fields of the line
 * @param nothing the other fields of the answer to an unreadable line, which has `error`
 */
export async function answerLines(
  name: string,
  key: string,
  answer: (text: string, fields: LineFields) => object,
  nothing: object,
): Promise<void> {
  const path = process.argv[2];
  if (path === undefined) {
    process.stderr.write(`Usage: npm run -s ${name} -- FILE (a JSON object with "${key}" on each line)\n`);
    process.exitCode = 1;
    return;
  }
  const started = performance.now();
  let count = 0;
  let faults = 0;
  let waiting = '';
  try {
    for await (const line of readLines(path)) {
      let result: object;
      try {
        const fields = readFields(line, key);
        result = answer(fields[key] as string, fields);
      } catch (error) {
        faults++;
        result = { ...nothing, error: error instanceof Error ? error.message : String(error) };
      }
      waiting += `${JSON.stringify(result)}\n`;
      count++;
      if (count % PROGRESS_EVERY === 0) process.stderr.write(`${count} lines\n`);
      if (waiting.length > FLUSH_AT) {
        await write(waiting);
        waiting = '';
      }
    }
    await write(waiting);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    return;
  }
  const seconds = (performance.now() - started) / 1000;
  process.stderr.write(`${count} lines, ${faults} unreadable, ${Math.round(count / seconds)} lines/s\n`);
}
