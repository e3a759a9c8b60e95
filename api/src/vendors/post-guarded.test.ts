import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type GuardedPost, postGuarded } from './post-guarded.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  open.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const inside = { allowPrivateNetwork: true, allowHttp: true };
const post = (url: string, more: Partial<GuardedPost> = {}) => postGuarded({ url, headers: {}, body: '{}', ...more });
const code = (posted: Promise<unknown>) =>
  posted.then(
    () => 'ANSWERED',
    (error: { code: string }) => error.code,
  );

describe('where it may go', () => {
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
    'localhost',
  ])('refuses https://%s', async (host) => expect(await code(post(`https://${host}/`))).toBe('PRIVATE_ADDRESS'));

  it.each([
    ['127.0.0.1'],
    ['10.0.0.7'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
  ])('refuses a name that resolves to %s', async (...addresses) => {
    const resolve = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    expect(await code(post('https://dealer.example/', { resolve }))).toBe('PRIVATE_ADDRESS');
  });

  it('connects to the address that was checked, whatever the name says a moment later', async () => {
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
    '',
  ])('refuses %j', async (url) => expect(await code(post(url))).toBe('BAD_URL'));
});

describe('answers', () => {
  it('posts the body as it is, and follows no redirect', async () => {
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

  it('reads 16 KB of it and no more, and not for longer than the clock says', async () => {
    const long = await serve((_request, response) => response.end(Buffer.alloc(3_000_000, 'x')));
    expect((await post(long, inside)).text).toHaveLength(16_384);
    const endless = await serve((_request, response) => void response.writeHead(200).write('so far'));
    expect(await post(endless, { ...inside, timeoutMs: 200 })).toMatchObject({ status: 200, text: 'so far' });
  });

  it('is slow, reset, absent, or not HTTP', async () => {
    const silent = await serve(() => {});
    expect(await code(post(silent, { ...inside, timeoutMs: 100 }))).toBe('SLOW');
    const resolve = () => new Promise<never>(() => {});
    expect(await code(post('https://dealer.example/', { resolve, timeoutMs: 100 }))).toBe('SLOW');
    const bytes = async (text: string) => {
      const server = createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => (text === '' ? socket.resetAndDestroy() : socket.end(text)));
      });
      await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
      open.push(server);
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    };
    expect(await code(post(await bytes(''), inside))).toBe('RESET');
    expect(await code(post(await bytes('SSH-2.0-x\r\n'), inside))).toBe('CUT');
    expect(await code(post('http://127.0.0.1:1/', inside))).toBe('UNREACHABLE');
  });

  it('ends at once when the caller stops', async () => {
    const stop = new AbortController();
    const url = await serve(() => void setTimeout(() => stop.abort(new Error('stopping')), 20));
    await expect(post(url, { ...inside, signal: stop.signal })).rejects.toThrow('stopping');
    await expect(post(url, { ...inside, signal: stop.signal })).rejects.toThrow('stopping');
  });
});
