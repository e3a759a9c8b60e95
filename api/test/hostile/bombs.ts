import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Requests that a client may send to keep a server busy, by name. */
type Bombs = Readonly<Record<string, string>>;

const times = (count: number, make: (index: number) => string, between = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(between);
const long = (text: string, length: number) => text.repeat(Math.ceil(length / text.length));

/** Cheap fields for the operations below. */
const alert = 'id make model place';

/** Operations that are refused after parsing, or are only large. */
export const documentBombs = (bytes: number): Bombs => ({
  'one field very often': `{ me { ${long('id ', 4_400)} } }`,
  'one field very often, in fragments': `{ me { ${times(30, (n) => `...f${n}`)} } } ${times(30, (n) => `fragment f${n} on User { ${times(40, () => 'id')} }`)}`,
  'objects that overlap': `{ ${times(280, () => 'alerts { id }')} }`,
  'objects that overlap, deeper': `{ ${times(100, () => 'matches { nodes { listing { id } } }')} }`,
  'one answer of many fields': `{ me { ${times(480, (n) => `a: ${n % 2 ? 'id' : 'username'}`)} } }`,
  'many answers': `{ ${times(240, (n) => `a${n}: me { id }`)} }`,
  'unknown fields': `{ me { ${times(1400, (n) => `usernamf${n}`)} } }`,
  'unknown fields with long names': `{ me { ${times(450, (n) => `emailConfirmedAtTheFirstTryOrSo${n}`)} } }`,
  'one name as long as the document': `{ me { ${long('a', bytes)} } }`,
  'unknown arguments': `{ matches(${times(480, (n) => `first${n}: 1`)}) { hasMore } }`,
  'one argument very often': `{ matches(${times(480, () => 'first: 1')}) { hasMore } }`,
  'one directive very often': `{ me ${times(200, () => '@skip(if: false)')} { id } }`,
  'unknown directives': `{ me ${times(700, (n) => `@skipp${n}`)} { id } }`,
  'unused variables': `query (${times(290, (n) => `$a${n}: Int`)}) { me { id } }`,
  'one variable very often': `query (${times(290, () => '$a: Int')}) { me { id } }`,
  'variables of unknown types': `query (${times(290, (n) => `$a${n}: Alerx${n}`)}) { me { id } }`,
  'many operations': times(290, (n) => `query q${n} { x }`),
  'ten thousand operations': times(10_000, (n) => `query q${n} { me { id } }`),
  'many operations of many fragments': `${times(100, (n) => `query q${n}($v: Int) { me { ...f0 } }`)} ${times(45, (n) => `fragment f${n} on User { ...f${n + 1} }`)} fragment f45 on User { id }`,
  'fragments that double each other': `{ me { ...f0 } } ${times(60, (n) => `fragment f${n} on User { ...f${n + 1} ...f${n + 1} }`)} fragment f60 on User { id }`,
  'fragments in a ring': `{ me { ...f0 } } ${times(120, (n) => `fragment f${n} on User { ...f${(n + 1) % 120} }`)}`,
  'fragments that all lead to all': `{ me { ...f0 } } ${times(18, (n) => `fragment f${n} on User { ${times(18, (m) => `...f${m}`)} }`)}`,
  'a fragment of itself': '{ me { ...f } } fragment f on User { ...f }',
  'unused fragments': `{ me { id } } ${times(200, (n) => `fragment f${n} on User { id }`)}`,
  'deep fields': `${'{ alerts '.repeat(400)}${'}'.repeat(400)}`,
  'deep conditions': `{ alerts { ${'... on Alert { '.repeat(240)}id${'}'.repeat(240)} } }`,
  'deep lists': `{ alerts(ids: ${'['.repeat(600)}${']'.repeat(600)}) { ${alert} } }`,
  'deep objects': `mutation { createAlert(input: ${'{a:'.repeat(350)}1${'}'.repeat(350)}) { ${alert} } }`,
  'a list of very many': `{ alerts(ids: [${times(1400, String)}]) { x } }`,
  'a number of very many digits': `{ matches(first: ${long('9', bytes)}) { hasMore } }`,
  'a text as long as the document': `{ locationSuggestions(text: "${long('a', bytes)}") { x } }`,
  'a text of escapes': `{ locationSuggestions(text: "${long('\\u0041', bytes)}") { x } }`,
  'a text of very many lines': `{ locationSuggestions(text: """${long('\n ', bytes)}""") { x } }`,
  'a comment as long as the document': `#${long('x', bytes)}\n{ me { x } }`,
  'commas alone': long(',', bytes),
  'blanks alone': `{ me { x } }${long(' \n', bytes)}`,
  'brackets alone': long('{', bytes),
  'words alone': long('a ', bytes),
  'the schema again and again': `{ ${times(20, (n) => `a${n}: __schema { types { name fields { name } } }`)} }`,
  'all types again and again': `{ __schema { ${times(25, (n) => `a${n}: types { name fields { name args { name type { name } } type { name } } }`)} } }`,
  'the schema, nested deeply': `{ __schema { types { ${'fields { type { '.repeat(8)} name ${'} } '.repeat(8)} } } }`,
  'no operation at all': 'fragment f on User { id }',
  nothing: ' ',
});

const create = `mutation ($alerts: [AlertInput!]!) { createAlerts(alerts: $alerts) { error { code } } }`;
const ofIds = `query ($ids: [ID!]!) { alerts(ids: $ids) { id } }`;
const one = `mutation ($input: AlertInput!) { createAlert(input: $input) { id } }`;
const suggest = `query ($text: String!) { locationSuggestions(text: $text) { name } }`;

const requestBody = (query: string, variables: string, more = '') =>
  `{"query": ${JSON.stringify(query)}, "variables": ${variables}${more}}`;
const list = (item: string, length: number) => `[${times(Math.floor(length / (item.length + 1)), () => item, ',')}]`;
const deep = (open: string, close: string, depth: number, inner = '') =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;

/** Request bodies of about that many bytes, for HTTP and sockets: JSON of an operation and its variables. */
export const bodyBombs = (bytes: number): Bombs => ({
  'very many alerts': requestBody(create, `{"alerts": ${list('{}', bytes)}}`),
  'very many alerts that fit': requestBody(
    create,
    `{"alerts": ${list('{"make":"kia","location":"90001","radius":5}', bytes)}}`,
  ),
  'very many alerts of one unknown field': requestBody(create, `{"alerts": ${list('{"maker":1}', bytes)}}`),
  'very many ids': requestBody(ofIds, `{"ids": ${list('1', bytes)}}`),
  'very many invalid ids': requestBody(ofIds, `{"ids": ${list('{}', bytes)}}`),
  'one long id': requestBody(ofIds, `{"ids": ["${long('1', bytes)}"]}`),
  'deep lists': requestBody(ofIds, `{"ids": ${deep('[', ']', Math.floor(bytes / 2.2))}}`),
  'deep objects': requestBody(one, `{"input": ${deep('{"a":', '}', Math.floor(bytes / 6.5), '1')}}`),
  'deep objects in a known field': requestBody(
    one,
    `{"input": {"make": ${deep('{"make":', '}', Math.floor(bytes / 9.5), '1')}}}`,
  ),
  'a long unknown field': requestBody(one, `{"input": {"${long('a', bytes)}": 1}}`),
  'very many unknown fields': requestBody(
    one,
    `{"input": {${times(Math.floor(bytes / 12), (n) => `"fiel${n}":1`, ',')}}}`,
  ),
  'very many variables': requestBody(
    suggest,
    `{"text": "x", ${times(Math.floor(bytes / 10), (n) => `"v${n}":1`, ',')}}`,
  ),
  'a long text': requestBody(suggest, `{"text": ${JSON.stringify(long('springfield ', bytes))}}`),
  'a long text of brackets': requestBody(suggest, `{"text": ${JSON.stringify(long('<(', bytes))}}`),
  'a huge number': requestBody('query ($n: Int) { matches(first: $n) { hasMore } }', '{"n": 1e999}'),
  'a long name of an operation': requestBody('{ me { id } }', '{}', `, "operationName": "${long('a', bytes)}"`),
  'deeply nested extensions': requestBody(
    '{ me { x } }',
    '{}',
    `, "extensions": ${deep('{"a":', '}', Math.floor(bytes / 6.5), '1')}`,
  ),
  'an unknown persisted query': `{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "${'a'.repeat(64)}"}}}`,
  'a query that is an object': '{"query": {"kind": "Document"}}',
  'a query that is a list': `{"query": ${list('"{ me { id } }"', bytes)}}`,
});

/** Bodies for HTTP only, for GraphQL and REST alike. */
export const jsonBombs: Bombs = {
  'ten thousand operations': `[${times(10_000, () => '{"query":"{me{x}}"}', ',')}]`,
  'very many operations': `[${times(9_000, () => '{"query":"{me}"}', ',')}]`,
  'deep lists': deep('[', ']', 95_000),
  'deep objects': deep('{"a":', '}', 30_000, '1'),
  'deep lists that do not close': '['.repeat(190_000),
  'one name again and again': `{${times(18_000, () => '"make":1', ',')}}`,
  'very many names': `{${times(14_000, (n) => `"n${n}":1`, ',')}}`,
  'a long name': `{"${long('a', 190_000)}":1}`,
  'a long text': `{"make":"${long('a', 190_000)}","location":"${long(' ', 1000)}"}`,
  'a long number': `{"radius":${long('9', 190_000)}}`,
  'very many numbers': `{"alerts":[${times(20_000, () => '1e308', ',')}]}`,
  'a megabyte': JSON.stringify({ query: `{ me { ${long('id ', 1_000_000)} } }` }),
};

const zeros = Buffer.alloc(64 * 1024 * 1024, '[');
/** Small bodies that are large when decompressed. */
export const compressedBombs = () => ({
  gzip: gzipSync(zeros),
  deflate: gzipSync(zeros),
  br: brotliCompressSync(zeros.subarray(0, 8 * 1024 * 1024)),
});
