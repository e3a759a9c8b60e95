import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A worker's clock, as far as it is wrong: eleven minutes ahead, a day behind. */
export type Clock = '+11m' | '-1d';

const folders = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib'];

/** The library that lends a process another time (package `faketime`); null where it isn't there. */
export function fakeTimeLibrary(): string | null {
  const within = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => join(folder, name))]);
  const paths = within.map((folder) => join(folder, 'faketime', 'libfaketimeMT.so.1'));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** What a process is started with whose clock is wrong. Timers go by another clock, which stays right. */
export function clockEnvironment(library: string, clock: Clock): Record<string, string> {
  return { LD_PRELOAD: library, FAKETIME: clock, FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
}
