import { expect, it } from 'vitest';
import { makeLockWait } from './lock-wait.ts';

const MINUTE = 60_000;

function setUp() {
  let at = 0;
  const wait = makeLockWait(() => at);
  /** Runs a try whose statements last so long, of which the last one is refused. */
  function refused(...lasting: number[]): number {
    wait.beginTry();
    for (const ms of lasting) {
      at += ms;
      wait.endStatement();
    }
    at += 1_000;
    return wait.refuse();
  }
  return { wait, refused };
}

it('adds up the waits of all tries for one lock, and not the work that is repeated before', () => {
  const { refused } = setUp();
  expect(refused(10, 10 * MINUTE, 500)).toBe(1_500);
  expect(refused(10, 10 * MINUTE, 500)).toBe(3_000);
  expect(refused(500)).toBe(4_500);
});

it('begins again when a try comes farther, also after an hour of work', () => {
  const { refused } = setUp();
  expect(refused(10, 500)).toBe(1_500);
  expect(refused(10, 500)).toBe(3_000);
  expect(refused(10, 10, 60 * MINUTE, 500)).toBe(1_500);
});

it('begins again with the next migration', () => {
  const { wait, refused } = setUp();
  refused(10, 10, 10, 500);
  wait.endMigration();
  expect(refused(500)).toBe(1_500);
  expect(refused(500)).toBe(3_000);
});

it('counts a try that does not get a connection', () => {
  const { refused } = setUp();
  expect(refused()).toBe(1_000);
  expect(refused()).toBe(2_000);
});
