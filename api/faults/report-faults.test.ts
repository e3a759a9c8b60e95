import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shortened, writeJournals } from './report-faults.ts';

const many = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}: car-${n}:7 again`);

it('shows the first faults of each kind, however many there are of the kinds before', () => {
  const shown = shortened([...many('doubled', 300), ...many('push again', 2), 'the api did not recover']);
  expect(shown).toEqual([
    ...many('doubled', 8),
    'doubled: … and 292 more',
    ...many('push again', 2),
    'the api did not recover',
  ]);
  expect(shortened([...many('postgres: lost', 9), ...many('postgres: mail early', 1)]).slice(-2)).toEqual([
    'postgres: lost: … and 1 more',
    'postgres: mail early: car-0:7 again',
  ]);
});

it('writes journals as JSON, maps as objects', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-journals-'));
  try {
    writeJournals(join(folder, 'journals'), {
      faults: many('doubled', 300),
      readers: { hiddenAt: new Map([['a:1', 5]]) },
    });
    const read = (name: string) => JSON.parse(readFileSync(join(folder, 'journals', name), 'utf8'));
    expect(read('faults.json')).toHaveLength(300);
    expect(read('readers.json')).toEqual({ hiddenAt: { 'a:1': 5 } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
