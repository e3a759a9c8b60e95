import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { setUpFolder } from '../../../test/set-up.ts';
import { WebFetchError } from '../web-fetch-guard.ts';
import { readFileBody, type SpooledBody, spool } from './spool.ts';
import { eagerChunks, unpacked } from './unpack.ts';

const MB = 1024 * 1024;
const cut = () => new WebFetchError('CUT', 'cut');

async function* chunksOf(bytes: Buffer, size: number, fault?: Error) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  if (fault) throw fault;
}

/** The unpacked text, and the code of the fault after it. */
async function read(chunks: AsyncIterable<Buffer>): Promise<[Buffer, string | null]> {
  const parts: Buffer[] = [];
  try {
    for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  } catch (error) {
    return [Buffer.concat(parts), error instanceof WebFetchError ? error.code : String(error)];
  }
  return [Buffer.concat(parts), null];
}

const random = Buffer.from(Array.from({ length: 3 * MB }, (_, index) => (index * 7919 * (index >> 8)) & 255));

describe('unpacking', () => {
  it.each([
    ['nothing', random, null],
    ['gzip', gzipSync(random), 'gzip'],
    ['a gzip file', gzipSync(random), null],
    ['a gzip file, packed', brotliCompressSync(gzipSync(random)), 'br'],
    [
      'members one after the other',
      Buffer.concat([gzipSync(random.subarray(0, 99)), gzipSync(random.subarray(99))]),
      null,
    ],
    [
      'many members',
      Buffer.concat([0, 1, 2].map((part) => gzipSync(random.subarray(part * MB, (part + 1) * MB)))),
      null,
    ],
    ['a gzip file filled up with zeros', Buffer.concat([gzipSync(random), Buffer.alloc(5000)]), null],
    ['next to nothing', Buffer.from([0x1f]), null],
    ['no bytes', Buffer.alloc(0), null],
  ])('%s', async (_, bytes, encoding) => {
    const whole = bytes.length > 1 ? random : bytes;
    for (const size of [1000, 65_536, 10 * MB]) {
      const [out, fault] = await read(unpacked(chunksOf(bytes, size), encoding, 4 * MB));
      expect([fault, out.equals(whole)]).toEqual([null, true]);
    }
  });

  it('yields the data before a cut, to the last byte', async () => {
    const lines = Buffer.from(Array.from({ length: 5000 }, (_, index) => `${(index * 7919) % 9973}\n`).join(''));
    const packed = gzipSync(lines);
    const torn = packed.subarray(0, packed.length / 2);
    for (const bytes of [chunksOf(torn, 1000, cut()), chunksOf(torn, 1000)]) {
      const [out, fault] = await read(unpacked(bytes, 'gzip', MB));
      expect(fault).toBe('CUT');
      expect(out.length).toBeGreaterThan(lines.length / 3);
      expect(lines.subarray(0, out.length).equals(out)).toBe(true);
    }
  });

  it.each([
    ['plain', random, null],
    ['gzip', gzipSync(Buffer.alloc(50 * MB)), 'gzip'],
    ['gzip within gzip', gzipSync(gzipSync(Buffer.alloc(50 * MB))), 'gzip'],
    ['empty members', Buffer.concat(Array.from({ length: 60_000 }, () => gzipSync(''))), null],
  ])('ends at the limit: %s', async (_, bytes, encoding) => {
    const [out, fault] = await read(unpacked(chunksOf(bytes, 65_536), encoding, MB));
    expect(fault).toBe('TOO_LARGE');
    expect([0, MB]).toContain(out.length);
  });

  it('yields the packed data when other data follow it, and then a fault', async () => {
    for (const [plain, tail] of [
      ['two rows', 'garbage'],
      ['two rows', '\n'],
      [random, '<html>'],
    ] as const) {
      const bytes = Buffer.concat([gzipSync(plain), Buffer.from(tail)]);
      for (const [size, encoding] of [
        [1, 'gzip'],
        [1000, null],
        [10 * MB, null],
      ] as const) {
        if (size === 1 && plain === random) continue;
        const [out, fault] = await read(unpacked(chunksOf(bytes, size), encoding, 4 * MB));
        expect([out.equals(Buffer.from(plain)), fault]).toEqual([true, 'CUT']);
      }
    }
  });

  it('yields the gzip members before a cut', async () => {
    const members = Buffer.concat([gzipSync('a'), gzipSync('b')]);
    for (const size of [1, 10, 1000]) {
      expect(await read(unpacked(chunksOf(members, size, cut()), null, MB))).toEqual([Buffer.from('ab'), 'CUT']);
    }
  });

  it('forwards a fault after the packed data', async () => {
    expect(await read(unpacked(chunksOf(gzipSync('whole'), 1000, cut()), null, MB))).toEqual([
      Buffer.from('whole'),
      'CUT',
    ]);
  });

  it('refuses unknown encodings', async () => {
    expect(await read(unpacked(chunksOf(random, 1000), 'gzip', MB))).toEqual([Buffer.alloc(0), 'CUT']);
    expect((await read(unpacked(chunksOf(random, 1000), 'zstd', MB)))[1]).toBe('CUT');
    expect(() => unpacked(chunksOf(random, 1000), 'gzip,gzip,gzip,gzip', MB)).toThrow(WebFetchError);
  });
});

describe('a stream that breaks off', () => {
  it('yields the data that was read, then the error', async () => {
    const stream = new Readable({ read() {} });
    const reading = read(eagerChunks(stream));
    stream.push('a');
    await new Promise(setImmediate);
    for (let part = 0; part < 100; part++) stream.push('b');
    stream.destroy(cut());
    expect(await reading).toEqual([Buffer.from(`a${'b'.repeat(100)}`), 'CUT']);
  });

  it('is an error when it only closes', async () => {
    const stream = new Readable({ read() {} });
    const reading = read(eagerChunks(stream));
    stream.push('a');
    setImmediate(() => stream.destroy());
    expect((await reading)[1]).toMatch(/before its end/);
  });
});

describe('spooling', () => {
  const ours = async () => (await readdir(tmpdir())).filter((name) => name.startsWith(`lotwatch-body-${process.pid}-`));
  /** The open files without a name, on Linux. */
  const nameless = async () => {
    const links = (await readdir('/proc/self/fd').catch(() => [])).map((fd) =>
      readlink(`/proc/self/fd/${fd}`).catch(() => ''),
    );
    return (await Promise.all(links)).filter((target) => /lotwatch-body-.*deleted/.test(target)).length;
  };
  const inFile = process.platform === 'linux' ? 1 : 0;

  it.each([1000, MB, 3 * MB])('%d bytes can be read several times, and leave no file behind', async (size) => {
    const bytes = random.subarray(0, size);
    const body = await spool(chunksOf(bytes, 65_536));
    expect(await ours()).toEqual([]);
    expect(await nameless()).toBe(size > MB ? inFile : 0);
    const twice = await Promise.all([read(body.bytes()), read(body.bytes())]);
    for (const [out, fault] of twice) expect([fault, out.equals(bytes)]).toEqual([null, true]);
    await body.close();
    expect(await nameless()).toBe(0);
  });

  it('stores a fetch fault of its source, and throws other errors', async () => {
    const body = await spool(chunksOf(random, 65_536, cut()));
    expect(body).toMatchObject({ size: random.length, fault: { code: 'CUT' } });
    const [out, fault] = await read(body.bytes());
    expect([out.equals(random), fault]).toEqual([true, 'CUT']);
    await body.close();
    await expect(spool(chunksOf(random, 65_536, new Error('ours')))).rejects.toThrow('ours');
    expect(await nameless()).toBe(0);
  });
});

describe('a file', () => {
  const folder = setUpFolder();
  const options = { etag: null, maxBytes: 4 * MB, mayGrow: false };
  const textOf = async (body: SpooledBody) => (await read(body.bytes()))[0].toString();

  it('is read, packed or not, and recognised when unchanged', async () => {
    const path = join(folder, 'plain');
    for (const bytes of ['hello', gzipSync('hello')]) {
      await writeFile(path, bytes);
      const first = await readFileBody(path, options);
      if (first.status !== 'ok') throw new Error('unchanged');
      expect(await textOf(first.body)).toBe('hello');
      expect(await readFileBody(path, { ...options, etag: first.etag })).toEqual({ status: 'unchanged' });
      await first.body.close();
    }
  });

  it.each([
    ['is not there', async (path: string) => path],
    ['is no file', async (path: string) => mkdir(path).then(() => path)],
    ['is no file', async (path: string) => Promise.resolve(execFileSync('mkfifo', [path])).then(() => path)],
    ['is no file', async () => '/dev/zero'],
  ])('that %s is refused with the reason', async (message, make) => {
    const path = await make(join(folder, `no-file-${Math.random()}`));
    await expect(readFileBody(path, options)).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    [false, 'CUT'],
    [true, null],
  ])('that is written during the read is a fault unless it may grow (%s)', async (mayGrow, code) => {
    const path = join(folder, `grows-${mayGrow}`);
    await writeFile(path, random);
    let grows = true;
    const meanwhile = Object.assign(new AbortController().signal, {
      throwIfAborted() {
        if (grows) appendFileSync(path, 'more');
        grows = false;
      },
    });
    const grown = await readFileBody(path, { ...options, mayGrow, signal: meanwhile });
    if (grown.status !== 'ok') throw new Error('unchanged');
    expect([grown.body.size, grown.body.fault?.code ?? null]).toEqual([random.length, code]);
    await grown.body.close();
  });
});
