import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const READ = new Set(['.ts', '.tsx', '.mts', '.mjs', '.cjs', '.sql', '.md', '.yml', '.html', '.css']);
/** Installed, generated and recorded files. Migrations name what they rename, and never change. */
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'gql', 'data', 'fixtures', 'migrations']);

export interface Word {
  pattern: RegExp;
  better: string;
  /** Starts of paths in which the word is allowed. */
  places: string[];
  /** Texts in which the word is allowed, such as a name from the contract. */
  texts: string[];
}

/** Reads the list: `pattern -> better word`, optionally followed by `except` and allowed texts, separated by commas. */
export function readWords(list: string): Word[] {
  const lines = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, pattern, better, except = ''] = /^(.+?) -> (.+?)(?: except (.+))?$/.exec(line) ?? [];
    if (pattern === undefined || better === undefined) throw new Error(`not a pattern with a better word: ${line}`);
    const allowed = except.split(', ').filter((text) => text !== '');
    const words = pattern.replaceAll(' ', '[\\s*/#]+');
    return {
      pattern: new RegExp(`(?<![A-Za-z])(?:${words})(?![A-Za-z])`, 'gi'),
      better,
      places: allowed.filter((text) => text.includes('/')),
      texts: allowed.filter((text) => !text.includes('/')).map(separate),
    };
  });
}

/** Splits names into words, so that one pattern finds `hand over`, `handOver`, `hand-over` and `HAND_OVER`. */
function separate(text: string): string {
  return text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/[_-]/g, ' ');
}

/** Finds listed words in a file's path and text. @returns lines of the form `path:line: word → better word` */
export function findWords(words: readonly Word[], path: string, text: string): string[] {
  // The path is line 0.
  const read = separate(`${path}\n${text}`);
  return words.flatMap(({ pattern, better, places, texts }) => {
    if (places.some((place) => path.startsWith(place))) return [];
    const allowed = texts.reduce((left, known) => left.replaceAll(known, (gone) => '.'.repeat(gone.length)), read);
    return [...allowed.matchAll(pattern)].map(({ index, 0: found }) => {
      const line = allowed.slice(0, index).split('\n').length - 1;
      return `${path}:${line}: ${found.replaceAll(/\s+/g, ' ')} → ${better}`;
    });
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      const isHidden = entry.name.startsWith('.') && entry.name !== '.github';
      return isHidden || SKIPPED.has(entry.name) ? [] : filesIn(path);
    }
    return READ.has(extname(entry.name)) ? [path] : [];
  });
}

function main(): void {
  const words = readWords(readFileSync(new URL('words.txt', import.meta.url), 'utf8'));
  const own = fileURLToPath(new URL('.', import.meta.url));
  const files = filesIn(project).filter((path) => !path.startsWith(own));
  const findings = files.flatMap((path) => findWords(words, relative(project, path), readFileSync(path, 'utf8')));
  process.stdout.write(`words: ${files.length} files, ${findings.length} findings\n`);
  for (const finding of findings) process.stdout.write(`  ${finding}\n`);
  if (files.length === 0 || findings.length > 0) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
