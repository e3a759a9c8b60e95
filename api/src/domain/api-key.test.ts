import { createHash, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { generateApiKey, parseApiKey } from './api-key.ts';

it('generates 57 characters that start with lw_live_, and parses them', () => {
  for (const random of [Buffer.alloc(32), Buffer.alloc(32, 0xff), randomBytes(32)]) {
    const made = generateApiKey(random);
    expect(made.text).toMatch(/^lw_live_[0-9A-Za-z]{49}$/);
    expect(made.prefix).toBe(made.text.slice(0, 16));
    expect(made.hash).toEqual(createHash('sha256').update(made.text).digest());
    expect(parseApiKey(made.text)).toEqual(made);
  }
});

it('keeps all 256 bits, so that random numbers that differ in one bit make different keys', () => {
  const texts = Array.from({ length: 256 }, (_, bit) => {
    const random = Buffer.alloc(32);
    random[bit >> 3] = 1 << (bit & 7);
    return generateApiKey(random).text;
  });
  expect(new Set(texts).size).toBe(256);
});

it('refuses a typo: a changed character, or two neighbours swapped', () => {
  const { text } = generateApiKey(randomBytes(32));
  for (let at = 8; at < text.length; at += 1) {
    const other = text[at] === 'x' ? 'y' : 'x';
    expect(parseApiKey(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
    const [one = '', two = ''] = text.slice(at, at + 2);
    const swapped = text.slice(0, at) + two + one + text.slice(at + 2);
    if (swapped !== text) expect(parseApiKey(swapped)).toBeNull();
  }
});

it.each(['', 'lw_live_', 'x'.repeat(57), `lw_live_${'0'.repeat(48)}`, `lw_live_${'é'.repeat(49)}`, 'lw_live_\0'])(
  'refuses %j',
  (text) => expect(parseApiKey(text)).toBeNull(),
);
