import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ReadReport } from '../../../test/reading/reading-child.ts';
import { setUpFolder, setUpServer } from '../../../test/set-up.ts';

const child = fileURLToPath(new URL('../../../test/reading/reading-child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Reads one source in a separate process, so that its memory can be measured. @param source as in SOURCES_FILE */
async function readInChild(source: Record<string, unknown>): Promise<ReadReport> {
  const settings = { name: 'lot', allowPrivateNetwork: true, ...source };
  const process_ = spawn(process.execPath, ['--import', 'tsx', child, JSON.stringify(settings)], { cwd: root });
  let output = '';
  let errors = '';
  process_.stdout.on('data', (part: Buffer) => {
    output += part.toString();
  });
  process_.stderr.on('data', (part: Buffer) => {
    errors += part.toString();
  });
  const [code] = await once(process_, 'close');
  if (code !== 0) throw new Error(`The reading process ended with ${code}: ${errors.slice(-2000)}`);
  return JSON.parse(output) as ReadReport;
}

type Bytes = Iterable<Buffer>;

const MB = 1024 * 1024;
/** Longer than what most sellers write, so that few records make many megabytes. */
const description = `clean title, one owner, ${'runs and drives great; '.repeat(180)}`;

const item = (id: number | string, more: Record<string, unknown> = {}) => ({
  id: String(id),
  title: '2015 Toyota Camry',
  price: 9000 + (Number(id) % 1000),
  location: 'Pasadena, CA',
  ...more,
});

const columns = 'vehicle_id,title,description,make,model,year,mileage.value,mileage.unit,price,url,state_of_vehicle';
const feedRow = (id: number, text: string) =>
  `${id},2015 Toyota Camry LE,"${text}",Toyota,Camry,2015,${50_000 + (id % 1000)},MI,${9000 + (id % 1000)} USD,https://dealer.example/${id},USED`;

function* upTo(bytes: number, head: string, record: (id: number) => string, tail = ''): Bytes {
  let parts = [head];
  let size = 0;
  let total = 0;
  for (let id = 1; total < bytes; id++) {
    const text = record(id);
    parts.push(text);
    size += text.length;
    total += text.length;
    if (size > MB) {
      yield Buffer.from(parts.join(''));
      parts = [];
      size = 0;
    }
  }
  yield Buffer.from(parts.join('') + tail);
}

/** One list of items, `megabytes` long. */
const longList = (megabytes: number): Bytes =>
  upTo(megabytes * MB, '[', (id) => `${id > 1 ? ',\n' : ''}${JSON.stringify(item(id, { description }))}`, ']');

/** A vehicle feed as CSV, `megabytes` long. */
const longFeed = (megabytes: number): Bytes =>
  upTo(megabytes * MB, `${columns}\n`, (id) => `${feedRow(id, description)}\n`);

/** The same as XML. */
const longXml = (megabytes: number): Bytes =>
  upTo(
    megabytes * MB,
    '<?xml version="1.0" encoding="UTF-8"?>\n<listings>\n',
    (id) =>
      `<listing><vehicle_id>${id}</vehicle_id><title>2015 Toyota Camry LE</title><description>${description}</description><make>Toyota</make><model>Camry</model><year>2015</year><mileage><value>50000</value><unit>MI</unit></mileage><price>${9000 + (id % 1000)} USD</price></listing>\n`,
    '</listings>',
  );

/** 10 GB of zeros in 10 MB. */
function* gzipBomb(): Bytes {
  const member = gzipSync(Buffer.alloc(100 * MB));
  for (let gigabytes = 0; gigabytes < 100; gigabytes++) yield member;
}

function* ofTexts(...texts: string[]): Bytes {
  for (const text of texts) yield Buffer.from(text);
}

const RESIDENT_MB = 512;
let body: () => Bytes = () => [];
let headers: Record<string, string> = {};
const server = setUpServer((request, response) => {
  // All of it is on the first page.
  const offset = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('offset'));
  response.writeHead(200, headers);
  Readable.from(offset > 0 ? [] : body())
    .on('error', () => {})
    .pipe(response);
});
const folder = setUpFolder();

async function measured(what: string, source: Record<string, unknown>): Promise<ReadReport> {
  const report = await readInChild({ kind: 'marketplace-items', ...source });
  const { facts, rejected, error, maxRssMb, seconds } = report;
  const became = [`${facts} cars`, JSON.stringify(rejected), error].filter(Boolean).join(', ');
  process.stdout.write(`${what}: ${maxRssMb} MB resident, ${seconds.toFixed(1)} s, ${became}\n`);
  expect(maxRssMb).toBeLessThan(RESIDENT_MB);
  expect(report.duplicates).toBe(0);
  return report;
}

function overHttp(what: string, bytes: () => Bytes, source: Record<string, unknown> = {}, head = {}) {
  body = bytes;
  headers = head;
  return measured(what, { url: `${server.url}/items`, ...source });
}

async function fromFile(what: string, bytes: () => Bytes, source: Record<string, unknown> = {}, packed = false) {
  const file = join(folder, 'body');
  const sink = createWriteStream(file);
  await (packed
    ? pipeline(Readable.from(bytes()), createGzip({ level: 1 }), sink)
    : pipeline(Readable.from(bytes()), sink));
  return measured(what, { file, ...source });
}

const tooLarge = /larger than 100 MB/;

it('an answer of empty objects is not parsed', async () => {
  const objects = () => upTo(15 * MB, '[{}', () => ',{}'.repeat(10_000), ']');
  const api = { kind: 'json-feed', items: '$', fields: { id: 'id', title: 'title' } };
  expect(await overHttp('15 MB of objects', objects, api)).toMatchObject({
    error: expect.stringMatching(/more than 500,000 values/),
    facts: 0,
    complete: false,
  });
});

type Reading = (what: string, bytes: () => Bytes, source?: Record<string, unknown>) => Promise<ReadReport>;
const fromPackedFile: Reading = (what, bytes, source) => fromFile(what, bytes, source, true);

describe('110 MB are read up to the limit, and nothing is inferred:', { tags: 'long' }, () => {
  const [items, feed] = [{ kind: 'marketplace-items' }, { kind: 'vehicle-feed' }];
  // Covers each form and each way of input once, since all pairs of them take most of a minute.
  it.each<[string, Reading, Record<string, string>, (megabytes: number) => Bytes]>([
    ['a list of items, packed file', fromPackedFile, items, longList],
    ['a feed, URL', overHttp, feed, longFeed],
    ['a feed in XML, file', fromFile, feed, longXml],
  ])(
    '%s',
    async (what, read, source, make) => {
      const report = await read(what, () => make(110), source);
      expect(report).toMatchObject({ error: expect.stringMatching(tooLarge), complete: false, rejected: {} });
      expect(report.facts).toBeGreaterThan(15_000);
    },
    90_000,
  );
});

describe('10 GB of zeros in 10 MB end at the limit:', () => {
  const whole: [string, Reading, string][] = [
    ['unpacked by the transfer', (...given) => overHttp(...given, { 'content-encoding': 'gzip' }), 'marketplace-items'],
    ['a packed feed, URL', overHttp, 'vehicle-feed'],
    ['a packed feed, file', fromFile, 'vehicle-feed'],
  ];
  for (const [what, read, kind] of whole) {
    // Each decompresses 100 MB, so that only one runs in `npm test`.
    it(what, { timeout: 60_000, tags: what === 'a packed feed, URL' ? [] : 'long' }, async () => {
      const report = await read(what, gzipBomb, { kind });
      expect(report).toMatchObject({ error: expect.stringMatching(tooLarge), facts: 0, complete: false });
    });
  }
});

describe('bad records alone are rejected:', () => {
  const field = 'x'.repeat(5 * 1024 * 1024);
  const bad = [
    `{"id":"big","title":"2015 Honda Civic","text":"${field}"}`,
    `{"text":"${field}","id":"big"}`,
    `{"id":"deep","title":"x","a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    '{"id": NaN}',
    '{"id": "quote", "title": "19" wheels"}',
  ];
  const records = bad.flatMap((text, index) => [JSON.stringify(item(index)), text]);
  records.push(JSON.stringify(item('last')));
  it.each<[string, Reading, () => Bytes]>([
    ['in a list, URL', overHttp, () => ofTexts('[', records.join(','), ']')],
    ['in lines, file', fromFile, () => ofTexts(records.join('\n'))],
  ])(
    '%s',
    async (what, read, make) => {
      expect(await read(what, make)).toMatchObject({
        error: null,
        rejected: { TOO_LARGE: 2, MALFORMED: 3 },
        rejectedIds: ['big', null, null, null, null],
        first: ['0', '1', '2', '3', '4', 'last'].map((id) => [id, '2015 Toyota Camry']),
      });
    },
    60_000,
  );

  it('400 of them of 250 KB each', { timeout: 60_000, tags: 'long' }, async () => {
    const large = JSON.stringify(item('x', { title: 'Dining table', description: 'y'.repeat(250_000) }));
    const lines = function* () {
      for (let id = 0; id < 400; id++) yield Buffer.from(`${large.replace('"x"', `"x${id}"`)}\n`);
    };
    expect(await overHttp('400 rejects of 250 KB', lines)).toMatchObject({ facts: 0, error: null });
  });
});
