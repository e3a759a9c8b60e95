import { createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../lab/local-server.ts';
import { serverOfTest } from '../../test/set-up.ts';
import { fetchPage, type PageRequest, retryAfterSeconds } from './web-fetch.ts';
import { isPublicAddress } from './web-fetch-guard.ts';

/** A server that sends these bytes and then closes or resets the connection. */
async function serveBytes(bytes: string, end: 'end' | 'reset' = 'end'): Promise<string> {
  const server = createTcpServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      if (bytes !== '') socket.write(bytes, 'latin1');
      setTimeout(() => (end === 'end' ? socket.end() : socket.resetAndDestroy()), 20);
    });
  });
  onTestFinished(() => void server.close());
  return listen(server);
}

const privateAllowed = { allowPrivateNetwork: true };

/** The body of a page as text, and its fault. */
async function readPage(request: PageRequest) {
  const page = await fetchPage(request);
  if (page.status !== 'ok') throw new Error('unchanged');
  const { body, ...rest } = page;
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of body.bytes()) chunks.push(chunk);
  } finally {
    await body.close();
  }
  return { ...rest, body: Buffer.concat(chunks).toString() };
}
const code = (page: Promise<unknown>) =>
  page.then(
    () => 'READ',
    (error: { code: string }) => error.code,
  );

describe('addresses', () => {
  it.each(
    `127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 198.18.0.1 192.0.0.1
    224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: fc00::1 fd12::1 fe80::1 fe80::1%eth0 fec0::1 ::ffff:127.0.0.1
    ::ffff:7f00:1 ::127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 2001:db8::1 ff02::1
    100::1 [::1] 4000::1 not-an-address`.split(/\s+/),
  )('%s is private', (address) => expect(isPublicAddress(address)).toBe(false));

  it.each('8.8.8.8 1.1.1.1 172.32.0.1 2606:4700::1111 [2a00:1450:4001::1] ::ffff:8.8.8.8'.split(' '))(
    '%s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );
});

describe('the guard', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://017700000001:1/',
    'http://127.1.:1/',
    'http://[::1]:1/',
    'http://[::ffff:7f00:1]:1/',
    'http://localhost:1/',
    'http://169.254.169.254/latest/meta-data',
  ])('refuses %s', async (url) => expect(await code(readPage({ url }))).toBe('PRIVATE_ADDRESS'));

  it('refuses a name with a private address, even beside a public one', async () => {
    const resolve = () =>
      Promise.resolve([
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await code(readPage({ url: 'http://cars.example/', resolve }))).toBe('PRIVATE_ADDRESS');
  });

  it('connects to the checked address and resolves once', async () => {
    const base = await serverOfTest((_request, response) => response.end('pinned'));
    let asked = 0;
    const resolve = () => {
      asked += 1;
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    };
    const port = new URL(base).port;
    const page = await readPage({ url: `http://cars.example:${port}/`, resolve, ...privateAllowed });
    expect(page).toMatchObject({ status: 'ok', body: 'pinned' });
    expect(asked).toBe(1);
  });

  it('checks the address of a redirect', async () => {
    let reached = 0;
    const secret = await serverOfTest((_request, response) => {
      reached += 1;
      response.end('secret');
    });
    const base = await serverOfTest((request, response) =>
      response
        .writeHead(302, {
          location: request.url === '/name' ? `http://inner.example:${new URL(secret).port}/` : 'http://127.0.0.2:1/',
        })
        .end(),
    );
    const isPublic = (address: string) => address === '127.0.0.1';
    const resolve = () => Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
    for (const path of ['/name', '/literal']) {
      expect(await code(readPage({ url: `${base}${path}`, isPublic, resolve }))).toBe('PRIVATE_ADDRESS');
    }
    expect(reached).toBe(0);
  });

  it.each(['ftp://example.com/a', 'file:///etc/passwd', 'nonsense', ''])('refuses %j', async (url) =>
    expect(await code(readPage({ url }))).toBe('BAD_URL'),
  );

  it('refuses a redirect to another protocol', async () => {
    const base = await serverOfTest((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    );
    expect(await code(readPage({ url: base, ...privateAllowed }))).toBe('BAD_URL');
  });
});

describe('redirects', () => {
  it('sends the headers only to the same origin', async () => {
    const seen: (string | undefined)[] = [];
    const other = await serverOfTest((request, response) => {
      seen.push(request.headers['x-token'] as string | undefined);
      response.end('there');
    });
    const base = await serverOfTest((request, response) => {
      seen.push(request.headers['x-token'] as string | undefined);
      response.writeHead(307, { location: request.url === '/a' ? '/b' : `${other}/c` }).end();
    });
    const page = await readPage({ url: `${base}/a`, headers: { 'x-token': 's3cret' }, ...privateAllowed });
    expect(page).toMatchObject({ status: 'ok', body: 'there' });
    expect(seen).toEqual(['s3cret', 's3cret', undefined]);
  });

  it('follows five, not six', async () => {
    const base = await serverOfTest((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('end');
      else response.writeHead(301, { location: `/${left - 1}` }).end();
    });
    expect(await code(readPage({ url: `${base}/5`, ...privateAllowed }))).toBe('READ');
    expect(await code(readPage({ url: `${base}/6`, ...privateAllowed }))).toBe('REDIRECT_LOOP');
  });
});

describe('bodies', () => {
  it.each([
    ['gzip', gzipSync('päck')],
    ['br', brotliCompressSync('päck')],
    ['deflate', deflateSync('päck')],
    ['Deflate', deflateRawSync('päck')],
    ['gzip, br', brotliCompressSync(gzipSync('päck'))],
    ['gzip', gzipSync(gzipSync('päck'))],
    ['identity', gzipSync('päck')],
    ['identity', Buffer.from('päck')],
  ])('are unpacked from %s', async (encoding, body) => {
    const base = await serverOfTest((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding, etag: '"1"', 'last-modified': 'x' }).end(body),
    );
    const page = await readPage({ url: base, ...privateAllowed });
    expect(page).toMatchObject({ status: 'ok', body: 'päck', etag: '"1"', lastModified: 'x', retryAfterSeconds: null });
  });

  it('end at the limit, packed or not', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const packed = await serverOfTest((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    );
    const plain = await serverOfTest((_request, response) => response.end(Buffer.alloc(2000)));
    expect(await code(readPage({ url: packed, maxBytes: 1_000_000, ...privateAllowed }))).toBe('TOO_LARGE');
    expect(await code(readPage({ url: plain, maxBytes: 1000, ...privateAllowed }))).toBe('TOO_LARGE');
    expect(await code(readPage({ url: plain, maxBytes: 2000, ...privateAllowed }))).toBe('READ');
  });

  it('yield the data of a cut page, and then the fault', async () => {
    const short = await serveBytes('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[1,2');
    const chunked = await serveBytes('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n[1,2\r\n');
    const packed = await serverOfTest((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(999)).subarray(0, 20)),
    );
    const whole = gzipSync('whole').toString('latin1');
    const unended = await serveBytes(
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${whole.length + 9}\r\n\r\n${whole}`,
    );
    for (const url of [short, chunked, packed, unended])
      expect(await code(readPage({ url, ...privateAllowed }))).toBe('CUT');
  });

  it('end at the stated length', async () => {
    const url = await serveBytes('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n[1,2,3,4]');
    expect(await readPage({ url, ...privateAllowed })).toMatchObject({ body: '[1,2' });
  });
});

describe('faults', () => {
  it('are SLOW after the timeout', async () => {
    const headers = await serverOfTest(() => {});
    const body = await serverOfTest((_request, response) => void response.write('['));
    const resolve = () => new Promise<never>(() => {});
    expect(await code(readPage({ url: headers, timeoutMs: 100, ...privateAllowed }))).toBe('SLOW');
    expect(await code(readPage({ url: body, timeoutMs: 100, ...privateAllowed }))).toBe('SLOW');
    expect(await code(readPage({ url: 'http://slow.example/', timeoutMs: 100, resolve }))).toBe('SLOW');
  });

  it('are the caller’s reason after an abort', async () => {
    const stop = new AbortController();
    const url = await serverOfTest((_request, response) => {
      response.write('[');
      setTimeout(() => stop.abort(new Error('stopping')), 20);
    });
    await expect(fetchPage({ url, signal: stop.signal, ...privateAllowed })).rejects.toThrow('stopping');
    await expect(fetchPage({ url, signal: stop.signal, ...privateAllowed })).rejects.toThrow('stopping');
  });

  it('are RESET, UNREACHABLE or CUT for a reset, absent or other server', async () => {
    expect(await code(readPage({ url: await serveBytes('', 'reset'), ...privateAllowed }))).toBe('RESET');
    expect(await code(readPage({ url: await serveBytes('SSH-2.0-x\r\n'), ...privateAllowed }))).toBe('CUT');
    expect(await code(readPage({ url: 'http://127.0.0.1:1/', ...privateAllowed }))).toBe('UNREACHABLE');
  });

  it('have the status and Retry-After', async () => {
    const base = await serverOfTest((request, response) =>
      response.writeHead(Number(request.url?.slice(1)), { 'retry-after': '120' }).end(),
    );
    for (const status of [204, 206, 304, 404, 429, 503]) {
      await expect(fetchPage({ url: `${base}/${status}`, ...privateAllowed })).rejects.toMatchObject({
        code: 'HTTP_STATUS',
        status,
        retryAfterSeconds: 120,
      });
    }
  });

  it('read Retry-After as seconds or a date', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    expect(retryAfterSeconds('7', now)).toBe(7);
    expect(retryAfterSeconds('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60);
    expect(retryAfterSeconds('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
    expect(retryAfterSeconds('9'.repeat(400), now)).toBe(86_400);
    expect(retryAfterSeconds('Fri, 01 Jan 2100 00:00:00 GMT', now)).toBe(86_400);
    expect(retryAfterSeconds('soon', now)).toBeNull();
    expect(retryAfterSeconds(undefined, now)).toBeNull();
  });
});

it('sends conditional requests and reads 304 as unchanged', async () => {
  const base = await serverOfTest((request, response) => {
    const same = request.headers['if-none-match'] === '"a"' && request.headers['if-modified-since'] === 'then';
    response.writeHead(same ? 304 : 200).end();
  });
  const page = await fetchPage({ url: base, etag: '"a"', lastModified: 'then', ...privateAllowed });
  expect(page.status).toBe('unchanged');
});
