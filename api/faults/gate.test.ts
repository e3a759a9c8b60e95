import { expect, it } from 'vitest';
import { makeGate } from './gate.ts';

it('lets one alone through once all others are, and nobody meanwhile', async () => {
  const gate = makeGate();
  const order: string[] = [];
  let finish = () => {};
  const slow = gate.pass(() => new Promise<void>((settle) => (finish = settle))).then(() => order.push('slow'));
  const alone = gate.alone(async () => void order.push('alone'));
  const late = gate.pass(async () => void order.push('late'));
  finish();
  await Promise.all([slow, alone, late]);
  expect(order).toEqual(['slow', 'alone', 'late']);
});
