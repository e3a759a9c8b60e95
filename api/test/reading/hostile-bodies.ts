import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ReadReport } from './reading-child.ts';

const child = fileURLToPath(new URL('./reading-child.ts', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Reads one source in a process of its own, whose memory is its own. @param source as in SOURCES_FILE */
export async function readInChild(source: Record<string, unknown>): Promise<ReadReport> {
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

export type Bytes = Iterable<Buffer>;

const MB = 1024 * 1024;
/** Longer than what most sellers write, so that few records make many megabytes. */
const description = `clean title, one owner, ${'runs and drives great; '.repeat(180)}`;

export const item = (id: number | string, more: Record<string, unknown> = {}) => ({
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
export const longList = (megabytes: number): Bytes =>
  upTo(megabytes * MB, '[', (id) => `${id > 1 ? ',\n' : ''}${JSON.stringify(item(id, { description }))}`, ']');

/** A vehicle feed as CSV, `megabytes` long. */
export const longFeed = (megabytes: number): Bytes =>
  upTo(megabytes * MB, `${columns}\n`, (id) => `${feedRow(id, description)}\n`);

/** The same as XML. */
export const longXml = (megabytes: number): Bytes =>
  upTo(
    megabytes * MB,
    '<?xml version="1.0" encoding="UTF-8"?>\n<listings>\n',
    (id) =>
      `<listing><vehicle_id>${id}</vehicle_id><title>2015 Toyota Camry LE</title><description>${description}</description><make>Toyota</make><model>Camry</model><year>2015</year><mileage><value>50000</value><unit>MI</unit></mileage><price>${9000 + (id % 1000)} USD</price></listing>\n`,
    '</listings>',
  );

/** 10 GB of zeros in 10 MB. */
export function* gzipBomb(): Bytes {
  const member = gzipSync(Buffer.alloc(100 * MB));
  for (let gigabytes = 0; gigabytes < 100; gigabytes++) yield member;
}

export function* ofTexts(...texts: string[]): Bytes {
  for (const text of texts) yield Buffer.from(text);
}
