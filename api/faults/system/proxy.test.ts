import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startProxy, type TcpProxy } from './proxy.ts';

let servers: Server[];
let proxy: TcpProxy;

/** Answers each word with its name and the word. */
async function startEcho(name: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (word) => void socket.write(`${name}:${word}`));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

interface Caller {
  socket: Socket;
  heard: string;
}

function call(): Caller {
  const caller: Caller = { socket: connect(proxy.port, '127.0.0.1'), heard: '' };
  caller.socket.on('data', (text) => {
    caller.heard += text;
  });
  caller.socket.on('error', () => {});
  return caller;
}

const aWhile = () => new Promise((settle) => setTimeout(settle, 60));

beforeEach(() => {
  servers = [];
});
afterEach(async () => {
  await proxy.close();
  for (const server of servers) server.close();
});

it('swallows both directions without a word while it is cut, and delivers when it is mended', async () => {
  const port = await startEcho('a');
  proxy = await startProxy(() => port);
  const caller = call();
  caller.socket.write('one');
  await expect.poll(() => caller.heard).toBe('a:one');
  proxy.cut();
  caller.socket.write('two');
  const late = call();
  late.socket.write('three');
  await aWhile();
  expect([caller.heard, caller.socket.closed, late.heard, late.socket.closed]).toEqual(['a:one', false, '', false]);
  proxy.mend();
  await expect.poll(() => [caller.heard, late.heard]).toEqual(['a:onea:two', 'a:three']);
});

it('leads new connections to another port once the old ones were reset', async () => {
  let port = await startEcho('old');
  proxy = await startProxy(() => port);
  const caller = call();
  caller.socket.write('1');
  await expect.poll(() => caller.heard).toBe('old:1');
  proxy.cut();
  port = await startEcho('new');
  proxy.reset();
  await expect.poll(() => caller.socket.closed).toBe(true);
  const next = call();
  next.socket.write('2');
  await aWhile();
  expect(next.heard).toBe('');
  proxy.mend();
  await expect.poll(() => next.heard).toBe('new:2');
});

it('tells one side that the other has gone only when the network is back', async () => {
  const port = await startEcho('a');
  proxy = await startProxy(() => port);
  const caller = call();
  caller.socket.write('one');
  await expect.poll(() => caller.heard).toBe('a:one');
  proxy.cut();
  const [server] = servers;
  const gone = new Promise<number>((settle) => server?.getConnections((_, count) => settle(count)));
  expect(await gone).toBe(1);
  caller.socket.destroy();
  await aWhile();
  expect(await new Promise<number>((settle) => server?.getConnections((_, count) => settle(count)))).toBe(1);
  proxy.mend();
  await expect.poll(() => new Promise<number>((settle) => server?.getConnections((_, count) => settle(count)))).toBe(0);
});
