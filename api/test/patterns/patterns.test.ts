import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { verdictOn } from './check-pattern.ts';
import { patternsOfCode } from './find-patterns.ts';
import { reviewed, reviewedUnread } from './reviewed-patterns.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { found, unread } = patternsOfCode(root);
/** Of one pattern, on a machine that does much else: most take a few milliseconds. */
const TIMEOUT_MS = 20_000;

test('no pattern of the code takes longer than its text is long, but for those that only meet short ones', {
  timeout: 180_000,
}, () => {
  expect(found.length).toBeGreaterThan(300);
  const verdicts = new Map<string, string | null>();
  const faults: string[] = [];
  for (const { pattern, source, flags, file, line } of found) {
    if (reviewed.some((one) => one.file === file && one.pattern === pattern)) continue;
    const known = verdicts.get(pattern);
    const verdict = known === undefined ? verdictOn({ source, flags }, TIMEOUT_MS) : known;
    verdicts.set(pattern, verdict);
    if (verdict !== null) faults.push(`${file}:${line} ${pattern} ${verdict}`);
  }
  expect(faults).toEqual([]);
});

test('every pattern that was reviewed is still there', () => {
  const gone = reviewed.filter(
    (one) => !found.some(({ file, pattern }) => file === one.file && pattern === one.pattern),
  );
  expect(gone).toEqual([]);
});

test('what is put together as the program runs was reviewed', () => {
  expect(unread.map(({ file }) => file)).toEqual(reviewedUnread.map(({ file }) => file));
});

test.each(['(a+)+$', '\\s+$', '(?:\\d+,?)*x', '^\\s*"?([^"<]*?)"?\\s*<'])('the checker refuses %s', (source) => {
  expect(verdictOn({ source, flags: '' }, TIMEOUT_MS)).not.toBeNull();
});

test.each(['^a+$', '\\s{1,3}$', '[a-z]+', '^(?:a|b)*c'])('the checker takes %s', (source) => {
  expect(verdictOn({ source, flags: '' }, TIMEOUT_MS)).toBeNull();
});
