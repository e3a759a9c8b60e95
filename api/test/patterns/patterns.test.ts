import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type FoundPattern, patternsIn, patternsOfCode } from './find-patterns.ts';
import { verdictOn } from './verdict.ts';

/** A pattern whose time may grow faster than its text, with the reason why it is safe here. */
interface Reviewed {
  file: string;
  pattern: string;
  /** Why its texts are short, or why its time grows no faster than the text. */
  bound: string;
}

const src = (file: string, pattern: RegExp, bound: string): Reviewed => ({
  file: `api/src/${file}`,
  pattern: String(pattern),
  bound,
});

const reviewed: readonly Reviewed[] = [
  src(
    'domain/facts/price.ts',
    /(?:down.?payments?|money down|drive.?off|enganche)(?:\s(?:is|of|de|desde|only|as|low|from|starting|at|just|con))*[\s:=-]{0,3}(\$?\s?\d[\d,.]{0,8}k?)/g,
    'Each text of a record is cut to 5,000 characters. Blanks separate the words after the first.',
  ),
  src(
    'domain/facts/facts-from-text.ts',
    /^(\d{1,3}(?:[ \u00a0']\d{3})+|\d[\d.,]{0,12})\s?(k)?\s?(miles?|mi|km|kms|kmt|smi|kilomet(?:er|re)s?)?\.?$/i,
    'The text is cut to 100 characters before.',
  ),
  src(
    'domain/facts/price.ts',
    /([-−](?=\S))?[^\d\s\-−.,]{0,4}\s?([-−])?(\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d[\d.,]{0,40})\s?(e[-+]?\d{1,4}\b|k\b|m\b)?/iu,
    'The text is cut to 100 characters before.',
  ),
  src('domain/plain-words.ts', /\B(?=(\d{3})+$)/g, 'The digits of a number, of which there are few.'),
  src(
    'domain/titles/title-words.ts',
    /<\/?[a-z][^<>]{0,200}>/gi,
    'The text is cut to 2,000 characters before, and a tag to 200.',
  ),
  src(
    'graphql/errors/format-error.ts',
    /^Variable "\$(\w+)" got invalid value [\s\S]*?(?: at "([\w.[\]]+)")?; ((?:Expected |Field "|Enum "|Value |\w+ cannot represent )[\s\S]*)$/,
    'A message of graphql about variables of at most 200 kB; a match that fails ends before the next possible start.',
  ),
  src(
    'graphql/errors/format-error.ts',
    /^Variable "\$(\w+)" of (?:required type ".*" was not provided|non-null type ".*" must not be null)\.$/,
    'A message of graphql with two names of an operation, which has at most 20,000 characters.',
  ),
  src('http/static-web.ts', /<!-- head -->[\s\S]*<!-- \/head -->/, 'A page that the build has written.'),
  src(
    'messages/texts.ts',
    /(?:https?:\/\/|www\.)\S+|(?<![\w-])(?:[a-z0-9-]+\.)+(?:app|biz|cc|co|com|gl|gy|info|io|link|ly|me|net|online|org|ru|shop|site|to|top|us|xyz)\b(?:[/:?#]\S*)?/gi,
    'A listing’s title, of at most 500 characters, or its place, of at most 100.',
  ),
  src('rest/openapi/describe-api.ts', /[^a-z]+([a-z])/gi, 'A path of the table of calls.'),
  src(
    'sources/marketplace-items/json-stream/json-splitter.ts',
    /[}\]]\s*,\s*(?=\{)/g,
    'At most 256 KB; blanks are read once, because a match begins with a bracket.',
  ),
  src(
    'sources/vehicle-feed/feed-row.ts',
    /^(vehicle_id|auto_listing_id|state_of_vehicle|date_first_on_lot|mileage\.(value|unit)|image\[\d+\]\.url|address\.\w+)$/,
    'A column’s name, of at most 200 characters.',
  ),
  src(
    'sources/vehicle-feed/read-feed.ts',
    /<(\/?)([a-z_][\w.:-]{0,100})([\s/][^<>]{0,2000})?>/gi,
    'The first 256 KB of a feed; a match ends before the next tag.',
  ),
  src(
    'sources/vehicle-feed/formats/read-xml.ts',
    /<(?:\w{1,20}:)?(?:vehicle_id|auto_listing_id|id)\b[^<>]{0,200}>\s{0,20}(?:<!\[CDATA\[)?([^<>\]]{1,200})</i,
    'A record of at most 256 KB; each repetition is limited.',
  ),
  src(
    'sources/vehicle-feed/parse-feed-place.ts',
    /([a-z_]\w{0,40}|"\w{1,40}"|'\w{1,40}')\s{0,9}[:=]\s{0,9}(?:'([\s\S]{0,400}?)'(?=\s{0,9}(?:[,;}]|$))|"((?:[^"\\]|\\.){0,400})"|([^,;}'"]{0,400}))/gi,
    'A cell of at most 2,048 characters; each repetition is limited.',
  ),
];

/** Patterns known only at run time, with the reason why they are safe. */
const reviewedUnread: readonly Omit<Reviewed, 'pattern'>[] = [
  {
    file: 'api/src/domain/cautions/prepayment.ts',
    bound: 'A clause of at most 200 characters; each repetition is limited.',
  },
  {
    file: 'api/src/http/known-devices.ts',
    bound: 'A Cookie header of at most 16 KB; blanks are read once, because a match begins with a semicolon.',
  },
  {
    file: 'api/src/sources/marketplace-items/json-stream/record-buffer.ts',
    bound: 'Like the pattern of the splitter, with a key of at most 60 characters that is matched literally.',
  },
  {
    file: 'api/src/vendors/payments/stripe-client.ts',
    bound: 'A constant of the billing rules, without a repetition.',
  },
];

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { found, unread } = patternsOfCode(root);
/** Patterns whose check takes long, and which `npm run test:all` has found safe. */
const knownSafe = new Set(
  readFileSync(new URL('./known-safe.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== ''),
);

/** The unsafe ones of some patterns, without the reviewed ones. */
function unsafe(some: readonly FoundPattern[]): string[] {
  const verdicts = new Map<string, string | null>();
  return some
    .filter(({ file, pattern }) => !reviewed.some((one) => one.file === file && one.pattern === pattern))
    .flatMap(({ pattern, source, flags, file, line }) => {
      const known = verdicts.get(pattern);
      const verdict = known === undefined ? verdictOn({ source, flags }) : known;
      verdicts.set(pattern, verdict);
      return verdict === null ? [] : [`${file}:${line} ${pattern} ${verdict}`];
    });
}

test('no pattern takes more than linear time, except the reviewed ones', { timeout: 180_000 }, () => {
  expect(found.length).toBeGreaterThan(300);
  expect(unsafe(found.filter(({ pattern }) => !knownSafe.has(pattern)))).toEqual([]);
});

test('no known pattern does', { tags: 'long', timeout: 180_000 }, () => {
  const known = found.filter(({ pattern }) => knownSafe.has(pattern));
  expect(unsafe(known)).toEqual([]);
  expect([...knownSafe].filter((one) => !known.some(({ pattern }) => pattern === one))).toEqual([]);
});

test('every reviewed pattern still exists', () => {
  const gone = reviewed.filter(
    (one) => !found.some(({ file, pattern }) => file === one.file && pattern === one.pattern),
  );
  expect(gone).toEqual([]);
});

test('every pattern known only at run time was reviewed', () => {
  expect(unread.map(({ file }) => file)).toEqual(reviewedUnread.map(({ file }) => file));
});

test.each(['(a+)+$', '\\s+$', '(?:\\d+,?)*x', '^\\s*"?([^"<]*?)"?\\s*<'])('the checker refuses %s', (source) => {
  expect(verdictOn({ source, flags: '' })).not.toBeNull();
});

test.each(['^a+$', '\\s{1,3}$', '[a-z]+', '^(?:a|b)*c'])('the checker accepts %s', (source) => {
  expect(verdictOn({ source, flags: '' })).toBeNull();
});

/** Replaces § with the dollar sign of a placeholder. */
const code = (text: string) => text.replaceAll('§', '$');
const patternLines = (text: string) => patternsIn('a.ts', text).found.map(({ pattern, line }) => `${line} ${pattern}`);

test('finds patterns anywhere in the code, and nothing that only looks like one', () => {
  const text = [
    "// /comment/ and 'a/b/c'",
    'const half = 4 / 2 / 1;',
    'if (/a+\\/[/]b/gi.test(x)) run(`§{y.replace(/c*/, "")}`);',
    'const DIGITS = 3; const part = String.raw`\\d{§{DIGITS}}`; const [a] = x.split(/,/);',
    'new RegExp(`^§{part}§{DIGITS + 1}$`, "u"); RegExp("\\\\s+");',
  ].join('\n');
  expect(patternLines(code(text))).toEqual(['3 /a+\\/[/]b/gi', '3 /c*/', '4 /,/', '5 /^\\d{3}4$/u', '5 /\\s+/']);
});

test('finds patterns between the tags of a component', () => {
  const { found: inTags } = patternsIn('a.tsx', '<p title={a.replace(/x+/, "")}>a / b / c</p>');
  expect(inTags.map(({ pattern }) => pattern)).toEqual(['/x+/']);
});

test('reports patterns that are known only at run time', () => {
  const { found: read, unread } = patternsIn('a.ts', code('const make = (key: string) => new RegExp(`a§{key}`, "g");'));
  expect(read).toEqual([]);
  expect(unread).toEqual([{ file: 'a.ts', line: 1, text: code('new RegExp(`a§{key}`, "g")') }]);
});
