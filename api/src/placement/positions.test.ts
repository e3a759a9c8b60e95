import { expect, it } from 'vitest';
import { isHeldBack } from './positions.ts';

const at = (epoch: number, transaction: number): string => String((BigInt(epoch) << 42n) + BigInt(transaction));
/** Two servers, of which each has an older transaction that runs. */
const bounds = [
  { horizon: at(33, 700), ceiling: at(33, 900) },
  { horizon: at(34, 50), ceiling: at(34, 60) },
];

it.each([
  ['is final below the horizon of its server', at(33, 699), false],
  ['is held back from the horizon of its server on', at(33, 700), true],
  ['is not held back by another server, whose transactions have lower numbers', at(33, 60), false],
  ['is held back by its server, whose transactions have lower numbers', at(34, 55), true],
  ['of an epoch before is final', at(2, 800), false],
  ['of a server that nobody reads is left alone', at(35, 1), false],
])('a position %s', (_what, position, expected) => {
  expect(isHeldBack(position, bounds)).toBe(expected);
});
