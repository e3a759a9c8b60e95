import { expect, test } from 'vitest';
import { makeLog } from './log.ts';
import { printable } from './printable.ts';

test.each([
  ['a color', '\u001b[31mred', '\\u001b[31mred'],
  ['a color in one byte', '\u009b31mred', '\\u009b31mred'],
  ['a cleared screen', 'a\u001b[2Jb\u0007', 'a\\u001b[2Jb\\u0007'],
  ['a line written over', 'failed\rworked', 'failed\\u000dworked'],
  ['a line turned around', '\u202egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
  ['a line end that is none of ours', 'a\u2028b\u2029c\u0085d', 'a\\u2028b\\u2029c\\u0085d'],
  ['ordinary text', '2018 Honda Accord · EX\n\t{"a": "é"} 🚗', '2018 Honda Accord · EX\n\t{"a": "é"} 🚗'],
])('%s', (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('a log line is one line without control characters, and keeps its meaning as JSON', () => {
  const lines: string[] = [];
  const hostile = 'x\u001b[2J\u009b31m\r\n{"level":"error"}\u2028\u202e\0';
  makeLog('api', (line) => lines.push(line)).warn(hostile, { [hostile]: hostile, error: new Error(hostile) });
  expect(lines).toHaveLength(1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(lines[0]).toMatch(/^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]*\n$/);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    message: hostile,
    [hostile]: hostile,
    error: { message: hostile },
  });
});
