import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { folderOfTest } from '../../../test/set-up.ts';
import { openPhotoFolder } from './photo-folder.ts';

describe('the folder of photos', () => {
  const DAY = 86_400_000;
  let folder: string;
  beforeEach(() => {
    folder = join(folderOfTest(), 'photos');
  });

  const name = (text: string) => createHash('sha256').update(text).digest('hex');
  const photo = (size: number) => Buffer.alloc(size, 1);
  const BLOCK = 4096;
  const onDisk = () =>
    readdirSync(folder).reduce((sum, file) => sum + Math.ceil(statSync(join(folder, file)).size / BLOCK) * BLOCK, 0);

  it('stays below its maximum size, and evicts the least recently used photos', async () => {
    const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
    for (const one of ['a', 'b', 'c']) await kept.store(name(one), photo(10_000));
    expect(await kept.read(name('a'))).toEqual(photo(10_000));
    await kept.store(name('d'), photo(10_000));
    const there = await Promise.all(['a', 'b', 'c', 'd'].map(async (one) => (await kept.read(name(one))) !== null));
    expect(there).toEqual([true, false, true, true]);
    for (let one = 0; one < 50; one++) {
      await kept.store(name(String(one)), photo(1 + ((one * 3_700) % 16_000)));
      expect(onDisk()).toBeLessThanOrEqual(10 * BLOCK);
      expect(kept.size()).toBe(onDisk());
    }
    // Stored again with another size, it counts once.
    await kept.store(name('49'), photo(10));
    expect(kept.size()).toBe(onDisk());
  });

  it('counts each small file as a block', async () => {
    const kept = await openPhotoFolder(folder, 10 * BLOCK, DAY);
    for (let one = 0; one < 100; one++) await kept.store(name(String(one)), photo(12));
    expect(readdirSync(folder)).toHaveLength(10);
  });

  it('finds its photos after a restart, applies the limit, and removes half-written files', async () => {
    const before = await openPhotoFolder(folder, 10_000, DAY);
    for (const one of ['old', 'new']) await before.store(name(one), photo(400));
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

  it('returns no photo that is too old, or was deleted', async () => {
    const kept = await openPhotoFolder(folder, 10_000, DAY);
    await kept.store(name('a'), photo(4));
    rmSync(join(folder, name('a')));
    expect([await kept.read(name('a')), kept.size()]).toEqual([null, 0]);
    await kept.store(name('b'), photo(4));
    utimesSync(join(folder, name('b')), new Date(), new Date(Date.now() - 2 * DAY));
    const later = await openPhotoFolder(folder, 10_000, DAY);
    expect([await later.read(name('b')), existsSync(join(folder, name('b')))]).toEqual([null, false]);
  });

  it('holds a few photos in memory for a minute that can’t be stored', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const kept = await openPhotoFolder(folder, 10_000, DAY);
    rmSync(folder, { recursive: true });
    const MB = 1024 * 1024;
    const there = () => Promise.all([1, 2, 3, 4].map(async (one) => (await kept.read(name(`${one}`)))?.length ?? 0));
    for (const one of [1, 2, 3]) await kept.store(name(`${one}`), photo(10 * MB), one);
    expect([await there(), kept.size(), kept.fetchedAt(name('1'))]).toEqual([[10 * MB, 10 * MB, 10 * MB, 0], 0, 1]);
    await kept.store(name('4'), photo(10 * MB));
    expect(await there()).toEqual([0, 10 * MB, 10 * MB, 10 * MB]);
    vi.advanceTimersByTime(60_000);
    expect([await there(), kept.fetchedAt(name('2'))]).toEqual([[0, 0, 0, 0], null]);
  });
});
