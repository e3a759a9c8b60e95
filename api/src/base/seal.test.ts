import { expect, it } from 'vitest';
import { makeSeal } from './seal.ts';

const secret = 'a secret of at least 32 characters';
const seal = makeSeal(secret, 'tests');

it('opens what it closed, and no box tells what is in it or whether two are alike', () => {
  const boxes = ['whsec_ü', 'whsec_ü'].map((text) => seal.close(text));
  expect(boxes.map((box) => seal.open(box))).toEqual(['whsec_ü', 'whsec_ü']);
  expect(boxes[0]).not.toBe(boxes[1]);
  expect(boxes[0]).not.toContain(Buffer.from('whsec').toString('base64url').slice(0, 6));
});

it('opens nothing that was changed, or closed with another secret or for another purpose', () => {
  const box = seal.close('whsec_1');
  const at = (index: number) => box.slice(0, index) + (box[index] === 'A' ? 'B' : 'A') + box.slice(index + 1);
  for (const changed of [at(5), at(25), at(box.length - 3), box.slice(0, -4), `v2${box.slice(2)}`, 'v1.', ''])
    expect(() => seal.open(changed)).toThrow();
  expect(() => makeSeal(`${secret}!`, 'tests').open(box)).toThrow();
  expect(() => makeSeal(secret, 'others').open(box)).toThrow();
});

it('opens what was closed under a secret before, closes with the newest, and renews what is not', () => {
  const rotated = makeSeal(['another secret of at least 32 characters', secret], 'tests');
  const old = seal.close('whsec_1');
  expect(rotated.open(old)).toBe('whsec_1');
  const renewed = rotated.renew(old) ?? '';
  expect(makeSeal('another secret of at least 32 characters', 'tests').open(renewed)).toBe('whsec_1');
  expect(() => seal.open(rotated.close('whsec_1'))).toThrow();
  expect(rotated.renew(renewed)).toBeNull();
  expect(() => rotated.renew(makeSeal('a third secret', 'tests').close('whsec_1'))).toThrow();
});
