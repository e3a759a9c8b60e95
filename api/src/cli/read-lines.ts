import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';

/** The lines of a file that aren't blank; only a line feed ends one. @param path counts from where the command was called */
export async function* readLines(path: string): AsyncGenerator<string> {
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
