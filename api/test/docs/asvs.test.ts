import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import ids from '../fixtures/asvs-ids.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'api/docs/asvs.md'), 'utf8');
const kinds = ['test', 'place', 'n/a', 'not met'];

interface Row {
  id: string;
  level: string | null;
  asks: string;
  kind: string;
  what: string;
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
const cells = page
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map(cellsOf);
const rows: Row[] = cells.flatMap(([id = '', ...rest]): Row[] => {
  if (/^API\d/.test(id) && rest.length === 3) {
    const [asks = '', kind = '', what = ''] = rest;
    return [{ id, level: null, asks, kind, what }];
  }
  const [level = '', asks = '', kind = '', what = ''] = rest;
  return /^V\d/.test(id) && rest.length === 4 ? [{ id, level, asks, kind, what }] : [];
});
const requirements = rows.filter(({ level }) => level !== null);
const risks = Array.from({ length: 10 }, (_, index) => `API${index + 1}:2023`);
const known = Object.entries(ids).flatMap(([level, list]) => list.map((id) => `${id} ${level}`));

const inOrder = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

it('has a row for each requirement of levels 1 and 2 and each risk, once', () => {
  expect(requirements.map(({ id, level }) => `${id} ${level}`)).toEqual(known.sort(inOrder));
  expect(rows.filter(({ level }) => level === null).map(({ id }) => id)).toEqual(risks);
});

it.each(rows)('$id has a requirement and evidence that exists', ({ asks, kind, what }) => {
  expect(asks).not.toBe('');
  expect(what).not.toBe('');
  expect(kinds).toContain(kind);
  const files = [...what.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.\w+|\.dockerignore)`/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  if (kind === 'test' || kind === 'place') expect(what.startsWith(`\`${files[0]}\``)).toBe(true);
  if (kind !== 'test') return;
  const [, file = '', text = ''] = /^`([^`]+\.test\.ts)` “(.+)”/.exec(what) ?? [];
  expect(file).not.toBe('');
  expect(readFileSync(join(root, file), 'utf8')).toContain(text);
});

it('states the right number of rows of each kind', () => {
  const countOf = (of: (row: Row) => boolean) => {
    const counts = ['1', '2'].map((level) => requirements.filter((row) => row.level === level && of(row)).length);
    return [...counts, counts.reduce((sum, count) => sum + count)].map(String);
  };
  const counted = cells.filter((row) => row.length === 4 && /^\d+$/.test(row[1] ?? ''));
  expect(counted.map(([name = '', ...counts]) => [name.split(':')[0], ...counts])).toEqual([
    ...kinds.map((kind) => [kind, ...countOf((row) => row.kind === kind)]),
    ['all', ...countOf(() => true)],
  ]);
});

it('lists every requirement that is not met', () => {
  const unmet = requirements.filter(({ kind }) => kind === 'not met').map(({ id, asks }) => [id, asks]);
  expect(cells.filter(([id = '', ...rest]) => /^V\d/.test(id) && rest.length === 1)).toEqual(unmet);
  expect(page).toContain(`\n${unmet.length} requirements are not met`);
});
