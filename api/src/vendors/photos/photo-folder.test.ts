import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPhotoFolder } from './photo-folder.ts';

const DAY = 86_400_000;
let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'lotwatch-photos-')), 'photos');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const name = (text: string) => createHash('sha256').update(text).digest('hex');
const photo = (size: number) => Buffer.alloc(size, 1);
const BLOCK = 4096;
const onDisk = () =>
  readdirSync(folder).reduce((sum, file) => sum + Math.ceil(statSync(join(folder, file)).size / BLOCK) * BLOCK, 0);

it('holds no more than it may, and lets go of what was asked for longest ago', async () => {
  const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
  for (const one of ['a', 'b', 'c']) await kept.keep(name(one), photo(10_000));
  expect(await kept.read(name('a'))).toEqual(photo(10_000));
  await kept.keep(name('d'), photo(10_000));
  const there = await Promise.all(['a', 'b', 'c', 'd'].map(async (one) => (await kept.read(name(one))) !== null));
  expect(there).toEqual([true, false, true, true]);
  for (let one = 0; one < 50; one++) {
    await kept.keep(name(String(one)), photo(1 + ((one * 3_700) % 16_000)));
    expect(onDisk()).toBeLessThanOrEqual(10 * BLOCK);
    expect(kept.size()).toBe(onDisk());
  }
  // Kept again in another size it counts once.
  await kept.keep(name('49'), photo(10));
  expect(kept.size()).toBe(onDisk());
});

it('holds no more files than blocks, however small they are', async () => {
  const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
  for (let one = 0; one < 100; one++) await kept.keep(name(String(one)), photo(12));
  expect(readdirSync(folder)).toHaveLength(10);
});

it('finds after a restart what it kept, bounds it anew, and clears away what was left half written', async () => {
  const before = await openPhotoFolder(folder, 10_000, DAY);
  for (const one of ['old', 'new']) await before.keep(name(one), photo(400));
  utimesSync(join(folder, name('old')), new Date(), new Date(Date.now() - DAY / 2));
  const draft = join(folder, `${name('draft')}.x.new`);
  writeFileSync(draft, photo(5_000));
  utimesSync(draft, new Date(), new Date(Date.now() - DAY));
  writeFileSync(join(folder, 'of an operator.txt'), 'x');
  const after = await openPhotoFolder(folder, BLOCK, DAY);
  expect(await after.read(name('new'))).toEqual(photo(400));
  expect(await after.read(name('old'))).toBeNull();
  expect(readdirSync(folder).sort()).toEqual([name('new'), 'of an operator.txt'].sort());
});

it('gives nothing that is too old, and nothing that somebody has taken away', async () => {
  const kept = await openPhotoFolder(folder, 10_000, DAY);
  await kept.keep(name('a'), photo(4));
  rmSync(join(folder, name('a')));
  expect([await kept.read(name('a')), kept.size()]).toEqual([null, 0]);
  await kept.keep(name('b'), photo(4));
  utimesSync(join(folder, name('b')), new Date(), new Date(Date.now() - 2 * DAY));
  const later = await openPhotoFolder(folder, 10_000, DAY);
  expect([await later.read(name('b')), existsSync(join(folder, name('b')))]).toEqual([null, false]);
});

it('shows what the disk does not take', async () => {
  const kept = await openPhotoFolder(folder, 10_000, DAY);
  rmSync(folder, { recursive: true });
  await kept.keep(name('a'), photo(4));
  expect([await kept.read(name('a')), kept.size()]).toEqual([null, 0]);
});
