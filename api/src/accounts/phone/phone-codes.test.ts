import { expect, it } from 'vitest';
import { codeHash, isCode } from './phone-codes.ts';

const of = { userId: 7, phone: '+15125550100' };

it('accepts a code that was texted before the secret changed, and hashes with the newest secret', () => {
  const [before, after] = ['the secret before', 'the secret after'];
  expect(isCode([after, before], of, '123456', codeHash(before, of, '123456'))).toBe(true);
  expect(isCode([after, before], of, '123457', codeHash(before, of, '123456'))).toBe(false);
  expect(isCode(after, of, '123456', codeHash([after, before], of, '123456'))).toBe(true);
  expect(isCode(after, of, '123456', codeHash(before, of, '123456'))).toBe(false);
});
