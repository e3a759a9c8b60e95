import { execFileSync, spawnSync } from 'node:child_process';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Answer, listen } from '../../lab/local-server.ts';
import { serverOfTest } from '../../test/set-up.ts';
import { type GuardedPost, postGuarded } from './post-guarded.ts';

const certificate =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -out - -subj /CN=dealer.example -days 2'.split(
    ' ',
  );
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

const serve = async (answer: Answer) => `${await serverOfTest(answer)}/`;

/** A server with raw responses. */
async function bytes(answer: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  onTestFinished(() => void server.close());
  return `${await listen(server)}/`;
}

const inside = { allowPrivateNetwork: true, allowHttp: true };
const post = (url: string, more: Partial<GuardedPost> = {}) => postGuarded({ url, headers: {}, body: '{}', ...more });
const code = (posted: Promise<unknown>) =>
  posted.then(
    () => 'ANSWERED',
    (error: { code: string }) => error.code,
  );

describe('the address of a post', () => {
  it.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '[::1]',
    '[::]',
    '[fe80::1]',
    '[fd12::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::7f00:1]',
    '[fd00:ec2::254]',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '127.1',
    '0177.0.0.1',
    '0',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127.0.0.1:8443',
    '[::1]:22',
    '100.127.255.254',
    '192.0.0.8',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
    '[ff02::1]',
    'localhost',
  ])('refuses https://%s', async (host) => expect(await code(post(`https://${host}/`))).toBe('PRIVATE_ADDRESS'));

  it.each([
    ['127.0.0.1'],
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['100.64.0.1'],
    ['0.0.0.0'],
    ['fe80::1%eth0'],
    ['no address'],
    ['93.184.216.34', '127.0.0.1'],
  ])('is refused when the name resolves to %s', async (...addresses) => {
    const resolve = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    expect(await code(post('https://dealer.example/', { resolve }))).toBe('PRIVATE_ADDRESS');
  });

  it('is the checked one, even if the name resolves to another later', async () => {
    const url = new URL(await serve((_request, response) => response.end('pinned')));
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    const answer = await post(`http://dealer.example:${url.port}/`, { resolve, ...inside });
    expect([answer.text, asked]).toEqual(['pinned', 1]);
  });

  it.each([
    'http://dealer.example/',
    'ftp://dealer.example/',
    'file:///etc/passwd',
    'https://user:pass@dealer.example/',
    'https://dealer.example:65536/',
    'https://[fe80::1%25eth0]/',
    'https://',
    '',
  ])('refuses %j', async (url) => expect(await code(post(url))).toBe('BAD_URL'));
});

describe('the answer to a post', () => {
  it('comes for the unchanged body, without following redirects', async () => {
    let reached = 0;
    const other = await serve((_request, response) => {
      reached += 1;
      response.end();
    });
    const seen: unknown[] = [];
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      seen.push([request.method, request.headers['content-type'], request.headers['webhook-id'], body]);
      response.writeHead(307, { location: other, 'retry-after': '7' }).end('there');
    });
    const answer = await post(url, { ...inside, headers: { 'webhook-id': 'msg_1' }, body: '{"a":"ü"}' });
    expect(answer).toEqual({ status: 307, text: 'there', retryAfterSeconds: 7 });
    expect(seen).toEqual([['POST', 'application/json', 'msg_1', '{"a":"ü"}']]);
    expect(reached).toBe(0);
  });

  it('is read up to 16 KB, and until the timeout', async () => {
    const long = await serve((_request, response) => response.end(Buffer.alloc(3_000_000, 'x')));
    expect((await post(long, inside)).text).toHaveLength(16_384);
    const endless = await serve((_request, response) => {
      const more = () => !response.destroyed && response.write(Buffer.alloc(65_536, 'x')) && setImmediate(more);
      response.on('drain', more);
      more();
    });
    expect((await post(endless, inside)).text).toHaveLength(16_384);
    const silent = await serve((_request, response) => void response.writeHead(200).write('so far'));
    expect(await post(silent, { ...inside, timeoutMs: 200 })).toMatchObject({ status: 200, text: 'so far' });
    const packed = gzipSync(Buffer.alloc(1_000_000));
    const bomb = await serve((_request, response) => response.setHeader('content-encoding', 'gzip').end(packed));
    expect((await post(bomb, inside)).text.length).toBeLessThan(packed.length + 1);
  });

  it('times out with slow bytes or endless headers', async () => {
    const drip = (head: string, text: string) =>
      bytes((socket) => {
        socket.write(head);
        const timer = setInterval(() => socket.write(text), 10);
        socket.on('close', () => clearInterval(timer));
      });
    const slow = { ...inside, timeoutMs: 150 };
    const started = performance.now();
    expect(await code(post(await drip('HTTP/1.1 200 OK\r\nx-slow: ', 'a'), slow))).toBe('SLOW');
    expect(await code(post(await drip('', 'HTTP/1.1 102 Processing\r\n\r\n'), slow))).toBe('SLOW');
    const body = await post(await drip('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n', 'a'), slow);
    expect([body.status, body.text.slice(0, 2)]).toEqual([200, 'aa']);
    expect(performance.now() - started).toBeLessThan(5_000);
    const heads = await bytes((socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(1_000_000)}`));
    expect(await code(post(heads, inside))).toBe('CUT');
  });

  it('can be missing: slow, reset, absent, or not HTTP', async () => {
    const silent = await serve(() => {});
    expect(await code(post(silent, { ...inside, timeoutMs: 100 }))).toBe('SLOW');
    const resolve = () => new Promise<never>(() => {});
    expect(await code(post('https://dealer.example/', { resolve, timeoutMs: 100 }))).toBe('SLOW');
    expect(await code(post(await bytes((socket) => socket.resetAndDestroy()), inside))).toBe('RESET');
    expect(await code(post(await bytes((socket) => socket.end('SSH-2.0-x\r\n')), inside))).toBe('CUT');
    expect(await code(post('http://127.0.0.1:1/', inside))).toBe('UNREACHABLE');
  });

  it('is aborted by the caller', async () => {
    const stop = new AbortController();
    const url = await serve(() => void setTimeout(() => stop.abort(new Error('stopping')), 20));
    await expect(post(url, { ...inside, signal: stop.signal })).rejects.toThrow('stopping');
    await expect(post(url, { ...inside, signal: stop.signal })).rejects.toThrow('stopping');
  });
});

describe('TLS', () => {
  const secure = async (options: SecureContextOptions) => {
    const server = createTlsServer(options, (_request, response) => response.end('received'));
    onTestFinished(() => void server.close());
    return (await listen(server)).replace('http://127.0.0.1', 'https://dealer.example');
  };
  const here = { ...inside, resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
  const why = (posted: Promise<unknown>) => posted.then(String, (error: Error) => error.message);

  it('is required: nothing is sent to a server without it or without a valid certificate', async () => {
    const plain = (await bytes((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))).replace('http:', 'https:');
    expect(await code(post(plain, here))).toBe('UNREACHABLE');
    expect(await code(post(await secure({}), here))).toBe('UNREACHABLE');
  });

  it.skipIf(!hasOpenssl)('needs a certificate from a trusted authority', async () => {
    const made = execFileSync('openssl', certificate, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    expect(await why(post(await secure({ key: made, cert: made }), here))).toContain('certificate was not accepted');
  });
});
