import { expect, test, vi } from 'vitest';
import { exportFileName, withProgress } from './export-file.ts';

test.each([
  ['ana', 'lotwatch-data-ana-2026-03-09.json'],
  ['../Añá & co.', 'lotwatch-data-Añá-co-2026-03-09.json'],
  ['☂', 'lotwatch-data-2026-03-09.json'],
])('the file of %s is %s', (username, name) => {
  expect(exportFileName(username, new Date(2026, 2, 9, 23))).toBe(name);
});

test('work shows its progress for the minimum time, also when it fails', async () => {
  vi.useFakeTimers();
  let ended = '';
  const done = withProgress(Promise.resolve()).then(() => {
    ended += 'done';
  });
  const failed = withProgress(Promise.reject(new Error('no'))).catch((error: Error) => {
    ended += error.message;
  });
  await vi.advanceTimersByTimeAsync(1499);
  expect(ended).toBe('');
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all([done, failed]);
  expect(ended).toBe('doneno');
  vi.useRealTimers();
});
