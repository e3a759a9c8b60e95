import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '../../../base/errors.ts';
import type { FeedEntry } from '../feed-row.ts';
import { readDelimited } from './read-delimited.ts';
import { readXml } from './read-xml.ts';

async function* cut(text: string, lengths: readonly number[]): AsyncGenerator<string> {
  for (let start = 0, turn = 0; start < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    yield text.slice(start, start + length);
    start += length;
  }
}

/** The entries, and the code of the AppError that ended the read. Any other error is a defect. */
async function outcome(entries: AsyncIterable<FeedEntry>): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    for await (const entry of entries) seen.push('row' in entry ? Object.entries(entry.row) : entry.code);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    seen.push(error.message);
  }
  return seen;
}

const delimiters = fc.constantFrom(',' as const, ';' as const, '\t' as const, '|' as const);
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const piece = fc.oneof(
  fc.constantFrom('"', '""', ',', '\t', '\n', '\r\n', ' ', 'a', '20"', '<', '>', '&', ';', '\u0000', '🚗'),
  fc.string({ maxLength: 5 }),
);
const junk = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));
const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

test('correctly quoted cells are read back, however the text is split into chunks', async () => {
  const table = fc.array(fc.tuple(junk, junk), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(table, delimiters, lengths, async (rows, delimiter, sizes) => {
      const lines = [['vehicle_id', 'a', 'b'], ...rows.map((cells, index) => [`v${index}`, ...cells])];
      const text = lines.map((cells) => cells.map(quote).join(delimiter)).join('\n');
      const seen = await outcome(readDelimited(cut(text, sizes), delimiter, '\n'));
      const filled = rows.map(([a, b], index) =>
        [
          ['vehicle_id', `v${index}`],
          ['a', a.trim()],
          ['b', b.trim()],
        ].filter(([, cell]) => cell !== ''),
      );
      expect(seen).toEqual(filled);
    }),
    { numRuns: 300 },
  );
});

test('invalid characters in a row do not affect the rows after it', async () => {
  await fc.assert(
    fc.asyncProperty(junk, lengths, async (row, sizes) => {
      const text = `vehicle_id,a\nfirst,1\n${row}\n${'last,2\n'.repeat(3)}`;
      const seen = await outcome(readDelimited(cut(text, sizes), ',', '\n'));
      const last = [
        ['vehicle_id', 'last'],
        ['a', '2'],
      ];
      expect(seen[0]).toEqual([
        ['vehicle_id', 'first'],
        ['a', '1'],
      ]);
      expect(seen.slice(-3)).toEqual([last, last, last]);
    }),
    { numRuns: 500 },
  );
});

test('any text is read to its end, with the same result however it is split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(junk, lengths, async (text, sizes) => {
      const csv = `vehicle_id,a,b\n${text}`;
      const xml = `<listings><listing><a>1</a></listing>${text}<listing><a>2</a></listing></listings>`;
      const names = new Set(['listing']);
      for (const read of [
        (length: readonly number[]) => readDelimited(cut(csv, length), ',', '\n'),
        (length: readonly number[]) => readXml(cut(xml, length), names),
        (length: readonly number[]) => readXml(cut(`<a>${text}`, length), null),
      ]) {
        expect(await outcome(read(sizes))).toEqual(await outcome(read([1_000_000])));
      }
    }),
    { numRuns: 500 },
  );
});

test('invalid characters in a record do not affect the records after it', async () => {
  const inner = fc.array(fc.oneof(piece, fc.constantFrom('<![CDATA[', ']]>', '<!--', '-->', '</b>', '<a>')), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(inner, lengths, async (parts, sizes) => {
      const text = parts.join('').replace(/<[!?](?!\[CDATA\[|--)/g, '');
      const xml = `<listings><listing><a>1</a></listing><listing><b>${text}</b></listing><listing><a>2</a></listing></listings>`;
      const seen = await outcome(readXml(cut(xml, sizes), new Set(['listing'])));
      expect([seen.length, seen[0], seen[2]]).toEqual([3, [['a', '1']], [['a', '2']]]);
    }),
    { numRuns: 500 },
  );
});
