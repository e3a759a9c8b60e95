import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listen } from '../../lab/local-server.ts';
import { startProxy, type TcpProxy } from './network.ts';

let servers: Server[];
let proxy: TcpProxy;

/** Starts a server that answers each word with its name and the word. */
async function startEcho(name: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (word) => void socket.write(`${name}:${word}`));
  });
  servers.push(server);
  return Number(new URL(await listen(server)).port);
}

interface Caller {
  socket: Socket;
  received: string;
}

function call(): Caller {
  const caller: Caller = { socket: connect(proxy.port, '127.0.0.1'), received: '' };
  caller.socket.on('data', (text) => {
    caller.received += text;
  });
  caller.socket.on('error', () => {});
  return caller;
}

const shortWait = () => new Promise((resolve) => setTimeout(resolve, 60));

beforeEach(() => {
  servers = [];
});
afterEach(async () => {
  await proxy.close();
  for (const server of servers) server.close();
});

it('withholds both directions while it is cut and closes nothing, and delivers when it is mended', async () => {
  const port = await startEcho('a');
  proxy = await startProxy(() => port);
  const caller = call();
  caller.socket.write('one');
  await expect.poll(() => caller.received).toBe('a:one');
  proxy.cut();
  caller.socket.write('two');
  const late = call();
  late.socket.write('three');
  await shortWait();
  expect([caller.received, caller.socket.closed, late.received, late.socket.closed]).toEqual([
    'a:one',
    false,
    '',
    false,
  ]);
  proxy.mend();
  await expect.poll(() => [caller.received, late.received]).toEqual(['a:onea:two', 'a:three']);
});

it('connects new connections to another port once the old ones were reset', async () => {
  let port = await startEcho('old');
  proxy = await startProxy(() => port);
  const caller = call();
  caller.socket.write('1');
  await expect.poll(() => caller.received).toBe('old:1');
  proxy.cut();
  port = await startEcho('new');
  proxy.reset();
  await expect.poll(() => caller.socket.closed).toBe(true);
  const next = call();
  next.socket.write('2');
  await shortWait();
  expect(next.received).toBe('');
  proxy.mend();
  await expect.poll(() => next.received).toBe('new:2');
});

it('closes one side only when the network is back, where the other side closed while it was cut', async () => {
  const port = await startEcho('a');
  proxy = await startProxy(() => port);
  const caller = call();
  caller.socket.write('one');
  await expect.poll(() => caller.received).toBe('a:one');
  proxy.cut();
  const [server] = servers;
  const gone = new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count)));
  expect(await gone).toBe(1);
  caller.socket.destroy();
  await shortWait();
  expect(await new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count)))).toBe(1);
  proxy.mend();
  await expect
    .poll(() => new Promise<number>((resolve) => server?.getConnections((_, count) => resolve(count))))
    .toBe(0);
});
