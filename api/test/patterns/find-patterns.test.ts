import { expect, test } from 'vitest';
import { patternsIn } from './find-patterns.ts';

/** Written with § for the sign that begins a placeholder. */
const code = (text: string) => text.replaceAll('§', '$');
const found = (text: string) => patternsIn('a.ts', text).found.map(({ pattern, line }) => `${line} ${pattern}`);

test('finds patterns wherever they stand, and nothing that only looks like one', () => {
  const text = [
    "// /comment/ and 'a/b/c'",
    'const half = 4 / 2 / 1;',
    'if (/a+\\/[/]b/gi.test(x)) run(`§{y.replace(/c*/, "")}`);',
    'const DIGITS = 3; const part = String.raw`\\d{§{DIGITS}}`; const [a] = x.split(/,/);',
    'new RegExp(`^§{part}§{DIGITS + 1}$`, "u"); RegExp("\\\\s+");',
  ].join('\n');
  expect(found(code(text))).toEqual(['3 /a+\\/[/]b/gi', '3 /c*/', '4 /,/', '5 /^\\d{3}4$/u', '5 /\\s+/']);
});

test('finds them between the tags of a component', () => {
  const { found: inTags } = patternsIn('a.tsx', '<p title={a.replace(/x+/, "")}>a / b / c</p>');
  expect(inTags.map(({ pattern }) => pattern)).toEqual(['/x+/']);
});

test('tells what is put together only as the program runs', () => {
  const { found: read, unread } = patternsIn('a.ts', code('const make = (key: string) => new RegExp(`a§{key}`, "g");'));
  expect(read).toEqual([]);
  expect(unread).toEqual([{ file: 'a.ts', line: 1, text: code('new RegExp(`a§{key}`, "g")') }]);
});
