import { expect, it } from 'vitest';
import { makeEncryption } from '../base/encryption.ts';
import { decryptSecrets, encryptSecrets, setSecrets } from './source-secrets.ts';
import { parseSources } from './source-settings.ts';

const encryption = makeEncryption('a secret of this test', 'source headers');
const withHeader = { name: 'lot', kind: 'vehicle-feed', url: 'https://a.example/', header: { name: 'x', value: 'zq' } };
const stored = (source: object) => {
  const [one] = encryptSecrets(encryption, parseSources(JSON.stringify([source]), '/'));
  if (!one) throw new Error('no source');
  return one;
};

it('keeps no secret in the settings, and gives it back', () => {
  const one = stored(withHeader);
  expect(JSON.stringify(one)).not.toContain('zq');
  expect(setSecrets(one.settings)).toEqual(['header.value']);
  expect(decryptSecrets(encryption, one)).toMatchObject(withHeader);
});

it("stores a header as versions before do, which read it as the header's value", () => {
  const { settings, encryptedSecrets } = stored(withHeader);
  expect(settings).toMatchObject({ header: { name: 'x' } });
  expect(settings).not.toHaveProperty('secrets');
  expect(encryption.decrypt(encryptedSecrets ?? '')).toBe('zq');
});

it('stores nothing encrypted for a source without a secret', () => {
  const { header: _, ...plain } = withHeader;
  expect(stored(plain).encryptedSecrets).toBeNull();
  expect(setSecrets(stored(plain).settings)).toEqual([]);
  expect(decryptSecrets(encryption, stored(plain))).toMatchObject(plain);
});

it('says which header can no longer be read', () => {
  const other = makeEncryption('another secret', 'source headers');
  expect(() => decryptSecrets(other, stored(withHeader))).toThrow(/The header x can't be read/);
});
