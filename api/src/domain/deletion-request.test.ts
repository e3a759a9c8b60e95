import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { DeletionStatus, decisionsFrom, isOpenRequest, makeRequestId } from './deletion-request.ts';

it.each([
  ['pending', ['approved', 'rejected'], true],
  ['approved', [], true],
  ['rejected', [], false],
  ['completed', [], false],
] as const)('from %s the admin may decide %j', (status, decisions, open) => {
  expect(decisionsFrom(DeletionStatus[status])).toEqual(decisions);
  expect(isOpenRequest(DeletionStatus[status])).toBe(open);
});

it('makes ids of six characters, none of which look alike', () => {
  const ids = Array.from({ length: 500 }, () => makeRequestId(randomInt));
  expect(ids.filter((id) => !/^DR-[A-HJ-NP-Z2-9]{6}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBeGreaterThan(495);
});
