import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newSourceValues } from '../../src/domain/forms/sources/source.ts';
import { isFormKind } from '../../src/domain/forms/sources/source-fields.ts';
import { sourceSchema } from '../../src/sources/kinds/source-kinds.ts';
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

const settingsByKind = new Map(
  examples
    .flatMap((name) => JSON.parse(textOf(`examples/sources/${name}`)) as { kind: string; everySeconds?: number }[])
    .map(({ everySeconds: _, ...settings }) => [settings.kind, settings]),
);
/** The rows of the table of intervals: kind, what the form proposes, what a file has without one, and the least. */
const intervals = [...overview.matchAll(/^\| `([\w-]+)` \| (\d+) \| (\d+) \| (?:.*: )?(\d+)(?: with 5,000)? \|$/gm)];

it('the table of intervals says of every kind what its form and its schema say', () => {
  const stated = intervals.map(([, kind = '', ...seconds]) => [kind, ...seconds.map(Number)]);
  const found = [...settingsByKind].map(([kind, settings]) => {
    const byDefault = sourceSchema.parse(settings).everySeconds;
    const accepts = (everySeconds: number) => sourceSchema.safeParse({ ...settings, everySeconds }).success;
    let least = 1;
    while (!accepts(least)) least++;
    return [kind, isFormKind(kind) ? Number(newSourceValues(kind).everySeconds) : null, byDefault, least];
  });
  expect(stated.toSorted()).toEqual(found.toSorted());
});
