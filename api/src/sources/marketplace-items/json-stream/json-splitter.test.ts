import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { JsonSplitter } from './json-splitter.ts';

/** The pieces, as their texts or the codes of their faults, and the fault of the whole. */
function split(text: string, ...cuts: number[]) {
  const splitter = new JsonSplitter();
  const pieces = [];
  let from = 0;
  for (const cut of [...cuts.map((at) => at % (text.length + 1)).sort((a, b) => a - b), text.length]) {
    pieces.push(...splitter.push(text.slice(from, cut)));
    from = cut;
  }
  pieces.push(...splitter.end());
  return { pieces, fault: splitter.fault };
}

const texts = (text: string, ...cuts: number[]) =>
  split(text, ...cuts).pieces.map((piece) => (piece.fault ? piece.fault.code : piece.text));

const a = '{"id":"a","note":"],[{\\"}","inner":[{"id":1},{"id":2}]}';
const b = '{"id":"b"}';

test.each([
  ['a list', `[${a} , ${b}]`],
  ['a list with a comma too many', `[${a},${b},]`],
  ['items', `{"items":[${a},${b}]}`],
  ['items within much else', `{"page":{"items":[1],"next":[[]]},"n":2,"items" : [\n${a},${b}\n], "more":{"x":[1]}}`],
  ['lines', `${a}\n\n${b}\r\n`],
  ['one after the other', `${a}${b}`],
  ['one after the other, with commas', `${a},\n ${b}`],
  ['pages after one another', `{"items":[${a}]}\n{"items":[${b}]}`],
  ['lists after one another', `[${a}]\n[${b}]`],
  ['a byte order mark', `\ufeff[${a},${b}]`],
])('%s', (_, text) => {
  expect(texts(text)).toEqual([a, b]);
  expect(split(text).fault).toBeNull();
  for (let cut = 0; cut <= text.length; cut++) expect(texts(text, cut)).toEqual([a, b]);
  expect(texts(text, ...Array.from(text, (_, index) => index))).toEqual([a, b]);
});

describe('a broken record in a list', () => {
  test.each([
    ['a word', 'oops'],
    ['a number', '17'],
    ['nothing', ''],
    ['a missing comma', '{"id":"x" "title":"y"}'],
    ['a quote within', '{"id":"x","title":"19" wheels","y":1}'],
    ['a quote that never closes', '{"id":"x","title":"y}'],
    ['a bracket that never closes', '{"id":"x","photos":[{"id":"y"}}'],
    ['a brace that never closes', '{"id":"x","seller":{"id":"y"}'],
    ['a brace too many', '{"id":"x"}}'],
    ['two keys', '{"id":"x":"y"}'],
  ])('%s', (_, broken) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"n":1,"items":[', ']}'],
    ]) {
      const text = `${open}${a},${broken},${b},${a}${close}`;
      const read = texts(text);
      expect(read.filter((piece) => piece === a || piece === b)).toEqual([a, b, a]);
      expect(read.length).toBeLessThanOrEqual(5);
      expect(texts(text, 40, 70, 80, 81, 82, 83)).toEqual(read);
    }
  });
});

test.each([
  ['a line', 'oops', ['oops']],
  ['a torn line', '{"id": "2", "tit', ['MALFORMED']],
  ['a line of text', '"x"', ['"x"']],
  ['an open list', '{"id":[1,', ['MALFORMED']],
  ['more behind an object', `${b} and more`, [`${b}and more`]],
  ['a brace too many', `${b}}`, [`${b}}`]],
])('%s between lines is one malformed record', (_, line, expected) => {
  const text = `${a}\n${line}\n${b}\n`;
  expect(texts(text)).toEqual([a, ...expected, b]);
  for (let cut = 0; cut <= text.length; cut++) expect(texts(text, cut)).toEqual([a, ...expected, b]);
});

test('objects over many lines are split, and a broken one is malformed alone', () => {
  const pretty = (value: unknown) => JSON.stringify(value, null, 2);
  const text = [pretty({ id: 1, x: [{ y: 1 }] }), '{\n  "id": 2,\n  "x": [\n  }\n}', pretty({ id: 3 })].join('\n');
  expect(texts(text)).toEqual([pretty({ id: 1, x: [{ y: 1 }] }), 'MALFORMED', pretty({ id: 3 })]);
});

test.each([
  ['a list that breaks off', `[${a},${b}`, [a, b]],
  ['within a record', `[${a},{"id":"b`, [a]],
  ['within items', `{"items":[${a}`, [a]],
  ['behind items', `{"items":[${a}],"n":`, [a]],
  ['more behind its end', `[${a}]]`, [a]],
  ['an open list without end', '['.repeat(100_000), []],
])('%s is no whole', (_, text, expected) => {
  expect(texts(text)).toEqual(expected);
  expect(split(text).fault).not.toBeNull();
});

describe('a record that is too large', () => {
  const large = (first: string) => `{${first},"text":"${'x'.repeat(300_000)}","z":1}`;

  it.each([
    ['a list', (items: string[]) => `[${items.join(',')}]`],
    ['lines', (items: string[]) => items.join('\n')],
  ])('is skipped in %s, and its beginning kept', (_, join) => {
    const text = join([a, large('"id":"big","seller":{"id":7}'), b]);
    for (const cuts of [[], [1000], [1000, 270_000, 300_000], Array.from({ length: 40 }, (_, at) => at * 9000)]) {
      const { pieces } = split(text, ...cuts);
      expect(pieces.map((piece) => piece.fault?.code ?? piece.text)).toEqual([a, 'TOO_LARGE', b]);
      expect(pieces[1]?.text).toHaveLength(8000);
      expect(JSON.parse(pieces[1]?.repaired ?? '').id).toBe('big');
    }
  });

  it('keeps an outer record up to its limit', () => {
    const { pieces } = split(`[{"listing":${large('"id":"big"')}}]`);
    expect(JSON.parse(pieces[0]?.repaired ?? '').listing.id).toBe('big');
  });

  it('ends at the end of its line where a quote is never closed', () => {
    expect(texts(`${a}\n{"id":"x","text":"${'x'.repeat(300_000)}\n${b}`, 290_000)).toEqual([a, 'TOO_LARGE', b]);
  });

  it('may be a key before the items', () => {
    expect(texts(`{"meta":${large('"n":1')},"items":[${b}]}`, 280_000, 290_000)).toEqual([b]);
  });
});

test('deep nesting causes no stack overflow', () => {
  const deep = `{"id":1,"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
  expect(texts(`[${a},${deep},${b}]`)).toEqual([a, 'MALFORMED', b]);
  expect(texts(`${a}\n${deep}\n${b}`, 500, 9000)).toEqual([a, 'MALFORMED', b]);
});

test('megabytes of backslashes are scanned once', () => {
  for (const odd of [0, 1]) {
    const splitter = new JsonSplitter();
    const pieces = splitter.push(`[${a},{"id":"`);
    for (let chunk = 0; chunk < 600; chunk++) pieces.push(...splitter.push('\\'.repeat(65_536 - odd)));
    pieces.push(...splitter.push(`"},${b}]`), ...splitter.end());
    expect(pieces.map(({ text, fault }) => fault?.code ?? text)).toEqual([a, 'TOO_LARGE', b]);
  }
});

test('the records are the same however the text is split into chunks', () => {
  const json = fc.array(fc.dictionary(fc.string(), fc.json()), { maxLength: 4 });
  const damaged = fc.tuple(json, fc.nat(), fc.string({ maxLength: 3 })).map(([value, at, insert]) => {
    const text = JSON.stringify(value);
    const cut = at % (text.length + 1);
    return text.slice(0, cut) + insert + text.slice(cut);
  });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.string()), fc.array(fc.nat(), { maxLength: 5 }), (text, cuts) => {
      expect(texts(text, ...cuts)).toEqual(texts(text));
      expect(split(text, ...cuts).fault).toBe(split(text).fault);
    }),
    { numRuns: 1000 },
  );
});

test('the text of valid JSON is not changed', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }))), (values) => {
      expect(texts(JSON.stringify(values)).map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
    }),
    { numRuns: 100 },
  );
});
