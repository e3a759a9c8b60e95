import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { decodedText } from './decode-body.ts';

async function* inBits(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function decode(bytes: Uint8Array, contentType: string | null = null, size = 1000): Promise<string> {
  let text = '';
  for await (const part of decodedText(inBits(bytes, size), contentType)) text += part;
  return text;
}

const western = (text: string) => Buffer.from(text, 'latin1');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const title = '{"title":"Citroën 2CV – 🚗"}';
const short = '{"title":"Citroën 2CV"}';
const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><title>Citroën</title>`;

test.each<[string, Uint8Array, string | null, string]>([
  ['UTF-8', Buffer.from(title), null, title],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${title}`), null, title],
  ['UTF-16 LE', Buffer.from(`\ufeff${title}`, 'utf16le'), null, title],
  ['UTF-16 BE', utf16be(`\ufeff${title}`), null, title],
  ['UTF-16 LE without a mark', Buffer.from(title, 'utf16le'), 'application/json', title],
  ['UTF-16 BE without a mark', utf16be(title), null, title],
  ['a mark against the charset', Buffer.from(`\ufeff${title}`), 'text/csv; charset=utf-16', title],
  ['a charset', Buffer.from([0x8e, 0xa9]), 'text/plain; charset="Shift_JIS"', '自'],
  ['a charset of Western Europe', western(short), 'text/csv; charset=ISO-8859-1', short],
  ['a charset against the XML declaration', western(xml('utf-8')), 'text/xml;charset=iso-8859-1', xml('utf-8')],
  ['a charset nobody knows', Buffer.from(title), 'text/csv; charset=klingon', title],
  ['an XML declaration', western(xml('ISO-8859-1')), 'application/xml', xml('ISO-8859-1')],
  ['an XML declaration that is wrong', Buffer.from(xml('UTF-16')), null, xml('UTF-16')],
  [
    'an XML declaration of the East',
    Buffer.from([...western(xml('windows-1251').slice(0, -15)), 0xcb]),
    null,
    `${xml('windows-1251').slice(0, -15)}Л`,
  ],
  ['nothing declared, Western Europe', western(short), null, short],
  ['windows-1252', Buffer.from([0x93, 0x32, 0x43, 0x56, 0x94, 0x80]), null, '“2CV”€'],
  ['UTF-8 that is declared and is not', western(short), 'application/json; charset=utf-8', short],
  ['both, one after the other', Buffer.concat([Buffer.from(title), western(short)]), null, title + short],
  ['nothing', Buffer.alloc(0), null, ''],
])('%s', async (_, bytes, contentType, text) => {
  for (const size of [1, 2, 3, 7, 1000]) expect(await decode(bytes, contentType, size)).toBe(text);
});

it('decodes any text in every encoding, however it is split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
      const known = `x${text}`;
      expect(await decode(Buffer.from(known), null, size)).toBe(Buffer.from(known).toString());
    }),
    { numRuns: 300 },
  );
});

it('decodes any bytes to the same text, however they are split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), fc.integer({ min: 1, max: 9 }), async (bytes, size) => {
      expect(await decode(bytes, null, size)).toBe(await decode(bytes));
    }),
    { numRuns: 300 },
  );
});

it('yields the text before a fault', async () => {
  const torn = async function* () {
    yield Buffer.from('[{"id":"ä"},');
    throw new Error('cut');
  };
  let text = '';
  await expect(
    (async () => {
      for await (const part of decodedText(torn(), null)) text += part;
    })(),
  ).rejects.toThrow('cut');
  expect(text).toBe('[{"id":"ä"},');
});
