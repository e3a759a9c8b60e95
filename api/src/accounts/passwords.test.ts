import { expect, it } from 'vitest';
import { findWeakness, hashPassword, verifyPassword } from './passwords.ts';

it('verifies only the right password', async () => {
  const hash = await hashPassword('secret-1');
  expect(await verifyPassword(hash, 'secret-1')).toBe(true);
  expect(await verifyPassword(hash, 'secret-2')).toBe(false);
  expect(await verifyPassword(null, 'nobody has this password')).toBe(false);
});

it("hashes by Argon2id with the costs of OWASP's first choice", async () => {
  expect(await hashPassword('secret-1')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it('salts, so that two hashes of one password differ', async () => {
  expect(await hashPassword('secret-1')).not.toBe(await hashPassword('secret-1'));
});

it('takes as long for an unknown user as for a wrong password', async () => {
  const hash = await hashPassword('secret-1');
  const fastest = async (passwordHash: string | null) => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const start = performance.now();
      await verifyPassword(passwordHash, 'wrong-password');
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  await verifyPassword(null, 'first');
  const [known, unknown] = [await fastest(hash), await fastest(null)];
  expect(unknown).toBeGreaterThan(known / 3);
});

const COMMON = 'This password is one of the most common ones. Please choose another.';
const NAME = 'The password must not contain your username.';
const EMAIL = 'The password must not contain the name in your email address.';
const ana = { username: 'Ana', email: 'ana@example.com' };
const anabel = { username: 'Anabel', email: 'belana.7@example.com' };

it.each([
  ['password123', ana, COMMON],
  ['PassWord123', ana, COMMON],
  [' 123456 ', ana, COMMON],
  ['letmein', ana, COMMON],
  ['secret-1', ana, undefined],
  ['correct horse', ana, undefined],
  ['ana-and-a-car', ana, undefined],
  ['my ANABEL 1', anabel, NAME],
  ['belana.7', anabel, EMAIL],
  ['x-Belana.7-x', anabel, EMAIL],
  ['example.com', anabel, undefined],
  ['x-belana-x', { username: 'bo', email: null }, undefined],
  ['  bo ann 12', { username: ' bo ann ', email: 'bo@example.com' }, NAME],
  ['👩👩👩👩', { username: '👩👩👩', email: null }, undefined],
])('%j of %j is %s', async (password, owner, fault) => {
  expect(await findWeakness(password, owner)).toBe(fault);
});
