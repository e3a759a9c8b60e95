import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import { expect, test } from 'vitest';
import { type FoundPattern, patternsOfCode } from './find-patterns.ts';

/** Patterns whose time may grow faster than their text, or whose growth the checker can't tell, and what keeps their texts short. */
interface Reviewed {
  file: string;
  pattern: string;
  /** Why no text of any length reaches it, or why its time grows no faster than the text. */
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
    'A record’s texts are cut to 5,000 characters each. The words after the first are told apart by their blanks.',
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
  src('domain/forms/fields.ts', /\B(?=(\d{3})+$)/g, 'The digits of limits that stand in the same folder.'),
  src(
    'domain/titles/title-words.ts',
    /<\/?[a-z][^<>]{0,200}>/gi,
    'The text is cut to 2,000 characters before, and a tag to 200.',
  ),
  src(
    'graphql/errors/format-error.ts',
    /^Variable "\$(\w+)" got invalid value [\s\S]*?(?: at "([\w.[\]]+)")?; ((?:Expected |Field "|Enum "|Value |\w+ cannot represent )[\s\S]*)$/,
    'A message of graphql about variables of at most 200 kB; what follows a place that may fit ends before the next.',
  ),
  src(
    'graphql/errors/format-error.ts',
    /^Variable "\$(\w+)" of (?:required type ".*" was not provided|non-null type ".*" must not be null)\.$/,
    'A message of graphql with two names of an operation, which has at most 20,000 characters.',
  ),
  src('http/built-web.ts', /<!-- head -->[\s\S]*<!-- \/head -->/, 'A page that our own build has written.'),
  src(
    'messages/texts.ts',
    /(?:https?:\/\/|www\.)\S+|(?<![\w-])(?:[a-z0-9-]+\.)+(?:app|biz|cc|co|com|gl|gy|info|io|link|ly|me|net|online|org|ru|shop|site|to|top|us|xyz)\b(?:[/:?#]\S*)?/gi,
    'A listing’s title, of at most 500 characters, or its place, of at most 100.',
  ),
  src('rest/openapi/describe-api.ts', /[^a-z]+([a-z])/gi, 'A path of our own table of calls.'),
  src(
    'sources/marketplace-items/json-stream/json-splitter.ts',
    /[}\]]\s*,\s*(?=\{)/g,
    'Looks in at most 256 KB; blanks are passed once, as only a bracket begins it.',
  ),
  src(
    'sources/vehicle-feed/feed-row.ts',
    /^(vehicle_id|auto_listing_id|state_of_vehicle|date_first_on_lot|mileage\.(value|unit)|image\[\d+\]\.url|address\.\w+)$/,
    'A column’s name, of at most 200 characters.',
  ),
  src(
    'sources/vehicle-feed/read-feed.ts',
    /<(\/?)([a-z_][\w.:-]{0,100})([\s/][^<>]{0,2000})?>/gi,
    'The first 256 KB of a feed; no tag goes on into the next.',
  ),
  src(
    'sources/vehicle-feed/formats/read-xml.ts',
    /<(?:\w{1,20}:)?(?:vehicle_id|auto_listing_id|id)\b[^<>]{0,200}>\s{0,20}(?:<!\[CDATA\[)?([^<>\]]{1,200})</i,
    'A record of at most 256 KB; each repetition has its end.',
  ),
  src(
    'sources/vehicle-feed/parse-feed-place.ts',
    /([a-z_]\w{0,40}|"\w{1,40}"|'\w{1,40}')\s{0,9}[:=]\s{0,9}(?:'([\s\S]{0,400}?)'(?=\s{0,9}(?:[,;}]|$))|"((?:[^"\\]|\\.){0,400})"|([^,;}'"]{0,400}))/gi,
    'A cell of at most 2,048 characters; each repetition has its end.',
  ),
];

/** Patterns that are put together as the program runs, and why no text makes them try again and again. */
const reviewedUnread: readonly Omit<Reviewed, 'pattern'>[] = [
  {
    file: 'api/src/http/known-devices.ts',
    bound: 'A Cookie header, of at most 16 KB; blanks are passed once, as only a semicolon begins it.',
  },
  {
    file: 'api/src/sources/marketplace-items/json-stream/record-buffer.ts',
    bound: 'The same as the splitter’s own, with a key of at most 60 characters that is taken by its letters.',
  },
  {
    file: 'api/src/vendors/payments/stripe-client.ts',
    bound: 'A constant of the billing’s rules: words of ours, without a repetition.',
  },
];

// The other engines are a Java program and a binary of each platform; this one is plain JavaScript. Read at each check.
process.env.RECHECK_SYNC_BACKEND = 'pure';

/** What the checker found: null where the time of matching grows with the text's length and no faster. */
type Verdict = null | string;

/** A pattern without repetition takes no longer for a longer text. */
const repeats = /[*+?]|\{\d/;

/**
 * Whether some text makes a pattern try again and again: the kind of growth and the text that shows it, or that the
 * checker could not tell in its time.
 */
function verdictOn({ source, flags }: Pick<FoundPattern, 'source' | 'flags'>, timeoutMs: number): Verdict {
  if (!repeats.test(source)) return null;
  const found = checkSync(source, flags.replaceAll(/[dg]/g, ''), { timeout: timeoutMs, attackTimeout: timeoutMs });
  if (found.status === 'safe') return null;
  if (found.status === 'vulnerable') return `${found.complexity.summary}: ${found.attack.pattern.slice(0, 300)}`;
  return `not known: ${found.error.kind}`;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { found, unread } = patternsOfCode(root);
/** Of one pattern, on a machine that does much else: most take a few milliseconds. */
const TIMEOUT_MS = 20_000;

test('no pattern of the code takes longer than its text is long, but for those that only meet short ones', {
  timeout: 180_000,
}, () => {
  expect(found.length).toBeGreaterThan(300);
  const verdicts = new Map<string, string | null>();
  const faults: string[] = [];
  for (const { pattern, source, flags, file, line } of found) {
    if (reviewed.some((one) => one.file === file && one.pattern === pattern)) continue;
    const known = verdicts.get(pattern);
    const verdict = known === undefined ? verdictOn({ source, flags }, TIMEOUT_MS) : known;
    verdicts.set(pattern, verdict);
    if (verdict !== null) faults.push(`${file}:${line} ${pattern} ${verdict}`);
  }
  expect(faults).toEqual([]);
});

test('every pattern that was reviewed is still there', () => {
  const gone = reviewed.filter(
    (one) => !found.some(({ file, pattern }) => file === one.file && pattern === one.pattern),
  );
  expect(gone).toEqual([]);
});

test('what is put together as the program runs was reviewed', () => {
  expect(unread.map(({ file }) => file)).toEqual(reviewedUnread.map(({ file }) => file));
});

test.each(['(a+)+$', '\\s+$', '(?:\\d+,?)*x', '^\\s*"?([^"<]*?)"?\\s*<'])('the checker refuses %s', (source) => {
  expect(verdictOn({ source, flags: '' }, TIMEOUT_MS)).not.toBeNull();
});

test.each(['^a+$', '\\s{1,3}$', '[a-z]+', '^(?:a|b)*c'])('the checker takes %s', (source) => {
  expect(verdictOn({ source, flags: '' }, TIMEOUT_MS)).toBeNull();
});
