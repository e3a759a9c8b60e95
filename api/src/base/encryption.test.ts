import { expect, it } from 'vitest';
import { makeEncryption } from './encryption.ts';

const secret = 'a secret of at least 32 characters';
const encryption = makeEncryption(secret, 'tests');

it('decrypts its own ciphertexts, which show neither the text nor whether two texts are equal', () => {
  const ciphertexts = ['whsec_ü', 'whsec_ü'].map((text) => encryption.encrypt(text));
  expect(ciphertexts.map((ciphertext) => encryption.decrypt(ciphertext))).toEqual(['whsec_ü', 'whsec_ü']);
  expect(ciphertexts[0]).not.toBe(ciphertexts[1]);
  expect(ciphertexts[0]).not.toContain(Buffer.from('whsec').toString('base64url').slice(0, 6));
});

it('refuses ciphertexts that were changed, or encrypted with another secret or for another purpose', () => {
  const ciphertext = encryption.encrypt('whsec_1');
  const at = (index: number) =>
    ciphertext.slice(0, index) + (ciphertext[index] === 'A' ? 'B' : 'A') + ciphertext.slice(index + 1);
  for (const changed of [
    at(5),
    at(25),
    at(ciphertext.length - 3),
    ciphertext.slice(0, -4),
    `v2${ciphertext.slice(2)}`,
    'v1.',
    '',
  ])
    expect(() => encryption.decrypt(changed)).toThrow();
  expect(() => makeEncryption(`${secret}!`, 'tests').decrypt(ciphertext)).toThrow();
  expect(() => makeEncryption(secret, 'others').decrypt(ciphertext)).toThrow();
});

it('decrypts with former secrets, encrypts with the newest, and reencrypts only older ciphertexts', () => {
  const rotated = makeEncryption(['another secret of at least 32 characters', secret], 'tests');
  const old = encryption.encrypt('whsec_1');
  expect(rotated.decrypt(old)).toBe('whsec_1');
  const renewed = rotated.reencrypt(old) ?? '';
  expect(makeEncryption('another secret of at least 32 characters', 'tests').decrypt(renewed)).toBe('whsec_1');
  expect(() => encryption.decrypt(rotated.encrypt('whsec_1'))).toThrow();
  expect(rotated.reencrypt(renewed)).toBeNull();
  expect(() => rotated.reencrypt(makeEncryption('a third secret', 'tests').encrypt('whsec_1'))).toThrow();
});
