import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { folderOfTest } from '../../test/set-up.ts';
import { keepFormerFiles } from './former-files.ts';

const DAY_MS = 86_400_000;
const start = Date.parse('2026-03-01T12:00:00Z');
let folder = '';
let former = '';
beforeEach(() => {
  folder = folderOfTest();
  former = join(folder, 'build-0');
});

/** Builds these files in place of the former ones. @returns what is served then */
function build(name: string, files: string[], day: number, maxBytes?: number): string[] {
  const fresh = join(folder, name);
  mkdirSync(fresh);
  for (const file of files) writeFileSync(join(fresh, file), `${file} of ${name}`.padEnd(100));
  keepFormerFiles(former, fresh, {
    recordFile: join(folder, 'left.json'),
    now: start + day * DAY_MS,
    ...(maxBytes && { maxBytes }),
  });
  rmSync(former, { recursive: true, force: true });
  former = fresh;
  return readdirSync(fresh).toSorted();
}

it('keeps the files of former builds for a week after each was replaced', () => {
  expect(build('build-1', ['app-1.js', 'map.js'], 0)).toEqual(['app-1.js', 'map.js']);
  // It is a month old, and replaced today.
  expect(build('build-2', ['app-2.js', 'map.js'], 30)).toEqual(['app-1.js', 'app-2.js', 'map.js']);
  expect(readFileSync(join(former, 'map.js'), 'utf8')).toContain('build-2');
  expect(readFileSync(join(former, 'app-1.js'), 'utf8')).toContain('build-1');
  expect(build('build-3', ['app-3.js'], 35)).toEqual(['app-1.js', 'app-2.js', 'app-3.js', 'map.js']);
  expect(build('build-4', ['app-4.js'], 38)).toEqual(['app-2.js', 'app-3.js', 'app-4.js', 'map.js']);
});

it('counts a file that a later build has again as its own', () => {
  build('build-1', ['app-1.js'], 0);
  build('build-2', ['app-2.js'], 1);
  build('build-3', ['app-1.js'], 2);
  expect(build('build-4', ['app-4.js'], 9)).toEqual(['app-1.js', 'app-4.js']);
});

it('keeps no more than the limit, the files that were left last', () => {
  build('build-1', ['a-1.js'], 0);
  build('build-2', ['a-2.js'], 1);
  build('build-3', ['a-3.js'], 2);
  expect(build('build-4', ['a-4.js'], 3, 250)).toEqual(['a-2.js', 'a-3.js', 'a-4.js']);
});

it('keeps them also where it is not recorded when they were left', () => {
  build('build-1', ['a-1.js'], 0);
  build('build-2', ['a-2.js'], 1);
  writeFileSync(join(folder, 'left.json'), '{');
  expect(build('build-3', ['a-3.js'], 20)).toEqual(['a-1.js', 'a-2.js', 'a-3.js']);
});
