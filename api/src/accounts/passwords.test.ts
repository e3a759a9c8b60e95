import { expect, it } from 'vitest';
import { hashPassword, passwordFits } from './passwords.ts';

it('takes the right password only', async () => {
  const hash = await hashPassword('secret-1');
  expect(await passwordFits(hash, 'secret-1')).toBe(true);
  expect(await passwordFits(hash, 'secret-2')).toBe(false);
  expect(await passwordFits(null, 'nobody has this password')).toBe(false);
});

it('salts: the same password never looks the same', async () => {
  expect(await hashPassword('secret-1')).not.toBe(await hashPassword('secret-1'));
});

it('takes as long for an unknown user as for a wrong password', async () => {
  const hash = await hashPassword('secret-1');
  const fastest = async (passwordHash: string | null) => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const start = performance.now();
      await passwordFits(passwordHash, 'wrong-password');
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  await passwordFits(null, 'first');
  const [known, unknown] = [await fastest(hash), await fastest(null)];
  expect(unknown).toBeGreaterThan(known / 3);
});
