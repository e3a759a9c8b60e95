import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseSources } from '../../src/sources/source-settings.ts';

const docs = join(import.meta.dirname, '../../docs');
const namesIn = (folder: string) => readdirSync(join(docs, folder));
const textOf = (path: string) => readFileSync(join(docs, path), 'utf8');

const examples = namesIn('examples/sources');
const pages = namesIn('sources').map((name) => `sources/${name}`);
const overview = textOf('sources.md');

it.each(examples)('%s is a SOURCES_FILE as it stands', (name) => {
  const text = textOf(`examples/sources/${name}`);
  expect(parseSources(text, '/etc/lotwatch').length).toBeGreaterThan(0);
});

it('the overview leads to every page and to every example', () => {
  const paths = [...pages, ...examples.map((name) => `examples/sources/${name}`)];
  expect(paths.filter((path) => !overview.includes(`(${path}`))).toEqual([]);
});

/** The lists of sources that a page shows, each an indented block that begins with `[{`. */
const listsIn = (page: string): string[] =>
  [...textOf(page).matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.trim()).filter((block) => /^\[\{/.test(block));

it('every list of sources in the pages is a SOURCES_FILE as it stands', () => {
  const lists = pages.flatMap(listsIn);
  expect(lists.length).toBeGreaterThan(1);
  for (const list of lists) expect(parseSources(list, '/etc/lotwatch').length).toBeGreaterThan(0);
});
