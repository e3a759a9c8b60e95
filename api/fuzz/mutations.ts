import fc, { type Arbitrary } from 'fast-check';

/** One change that makes a valid request invalid or unusual. */
export type Mutation =
  | { kind: 'field'; which: number; value: unknown }
  | { kind: 'drop'; which: number }
  | { kind: 'extra'; name: string; value: unknown }
  | { kind: 'id'; text: string }
  | { kind: 'query'; text: string }
  | { kind: 'body'; text: string }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'method'; method: string }
  | { kind: 'large'; bytes: number };

const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e',
  '😀',
  '٣',
  'x'.repeat(10_000),
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '{{7*7}}',
  '$' + '{7*7}',
  '__proto__',
  'constructor',
  'NaN',
  '1e3',
  '0x10',
  'true',
  'null',
];
const oddNumbers = [0, -0, -1, 0.5, 1e3, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 63), 1e21, 1e308, 5e-324];

const oddText = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 40 }));
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [null], { $ne: 1 }, ['a', 'b'], { toString: 1 }),
  fc.constantFrom(...oddNumbers),
  oddText,
  fc.jsonValue({ maxDepth: 2 }),
);

/** Fields that the contract refuses, and unknown ones. */
const extraNames = [
  'id',
  'userId',
  'planId',
  'role',
  'createdAt',
  'expiresAt',
  'matchCount',
  '__proto__',
  'toString',
  'shoe',
  '',
];
const brokenBodies = [
  '',
  '{',
  '{"a":}',
  '[]',
  '[1,2]',
  'null',
  '1',
  '"text"',
  'a=b',
  '<a/>',
  '{"a":1}{"b":2}',
  '\ufeff{}',
  '{"a":"\\ud800"}',
  '['.repeat(5000),
];
const headers: [name: string, value: string][] = [
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=klingon'],
  ['content-type', 'application/json; charset=utf-16'],
  ['content-type', 'application/vnd.api+json'],
  ['content-type', 'multipart/form-data; boundary=x'],
  ['content-type', ''],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'zstd'],
  ['accept', 'text/html'],
  ['accept', 'image/png;q=0.1'],
  ['accept-encoding', 'br;q=1, *;q=0'],
  ['accept-language', 'xx-XX'],
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['cookie', 'lotwatch_session=s%3Aforged.x'],
  ['cookie', 'lotwatch_session=%E0%A4%A; a'],
  ['authorization', 'Bearer nothing'],
  ['authorization', 'Basic Og=='],
  ['if-none-match', '*'],
  ['if-none-match', 'W/"x"'],
  ['range', 'bytes=0-1'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', '1.2.3.4'],
  ['x-forwarded-proto', 'https'],
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(2000)],
  ['idempotency-key', '\u00e9\u00ff'],
];

/** Draws a mutation. */
export const mutation: Arbitrary<Mutation> = fc.oneof(
  { weight: 40, arbitrary: fc.record({ kind: fc.constant('field' as const), which: fc.nat(20), value: oddValue }) },
  { weight: 15, arbitrary: fc.record({ kind: fc.constant('drop' as const), which: fc.nat(20) }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('extra' as const),
      name: fc.constantFrom(...extraNames),
      value: oddValue,
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({
      kind: fc.constant('id' as const),
      text: fc.oneof(oddText, fc.constantFrom(...oddNumbers).map(String), fc.nat(2000).map(String)),
    }),
  },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('query' as const), text: oddText }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('body' as const), text: fc.constantFrom(...brokenBodies) }) },
  {
    weight: 15,
    arbitrary: fc.constantFrom(...headers).map(([name, value]) => ({ kind: 'header' as const, name, value })),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('method' as const),
      method: fc.constantFrom('PUT', 'HEAD', 'OPTIONS', 'DELETE', 'POST', 'PATCH', 'GET', 'PROPFIND'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(90_000, 300_000, 3_000_000).map((bytes) => ({ kind: 'large' as const, bytes })),
  },
);
