import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';

/*
 * A proxy in place of haproxy: it asks /readyz as often, sends each request to the ready api with the fewest connections,
 * and to another one only where it could not connect, or for a file of the web app that one does not have. A process of its
 * own: `node-proxy.ts PORT API-PORT…`.
 */

const CHECK_EVERY_MS = 500;
const FALL = 3;

interface Api {
  port: number;
  failures: number;
  open: number;
}

const [port = 0, ...apiPorts] = process.argv.slice(2).map(Number);
const apis: Api[] = apiPorts.map((one) => ({ port: one, failures: FALL, open: 0 }));

const asksReady = async (api: Api) => {
  const signal = AbortSignal.timeout(2_000);
  return (await fetch(`http://127.0.0.1:${api.port}/readyz`, { signal })).status === 200;
};
async function check(api: Api): Promise<void> {
  const ready = await asksReady(api).catch(() => false);
  api.failures = ready ? 0 : api.failures + 1;
  setTimeout(() => void check(api), CHECK_EVERY_MS);
}
for (const api of apis) void check(api);

/** Files of the web app: during an upgrade each api has those of its version, also while it drains. */
const isFile = ({ method, url }: IncomingMessage) => method === 'GET' && url?.startsWith('/assets/') === true;

/** The api to connect to, none of those that were tried; one that is not ready where none is, and for files. */
function choose(tried: ReadonlySet<Api>, forFile: boolean): Api | undefined {
  const left = apis.filter((api) => !tried.has(api));
  const isReady = ({ failures }: Api) => failures < FALL;
  return (apis.some(isReady) && !forFile ? left.filter(isReady) : left).sort((a, b) => a.open - b.open)[0];
}

/** Connects to an api that takes the connection; null where none does. @param tried those that were, which are added to */
async function connectToOne(tried: Set<Api>, forFile = false): Promise<Socket | null> {
  for (let api = choose(tried, forFile); api; api = choose(tried, forFile)) {
    tried.add(api);
    const { port: apiPort } = api;
    const socket = await new Promise<Socket | null>((resolve) => {
      const made: Socket = connect(apiPort, '127.0.0.1', () => resolve(made));
      made.once('error', () => resolve(null));
    });
    if (!socket) continue;
    const chosen = api;
    chosen.open += 1;
    socket.once('close', () => {
      chosen.open -= 1;
    });
    return socket.on('error', () => {});
  }
  return null;
}

const headersFor = ({ headers, socket }: IncomingMessage) => ({
  ...headers,
  'x-forwarded-for': [headers['x-forwarded-for'], socket.remoteAddress].flat().filter(Boolean).join(', '),
});

async function forward(asked: IncomingMessage, answer: ServerResponse, tried = new Set<Api>()): Promise<void> {
  const socket = await connectToOne(tried, isFile(asked));
  if (!socket) return void answer.writeHead(503).end();
  const { method, url } = asked;
  const headers = { ...headersFor(asked), connection: 'close' };
  const passed = request({ method, path: url, headers, createConnection: () => socket }, (received) => {
    if (isFile(asked) && received.statusCode === 404 && tried.size < apis.length) {
      received.resume();
      return void forward(asked, answer, tried);
    }
    const { connection: _theirs, 'keep-alive': _also, ...rest } = received.headers;
    answer.writeHead(received.statusCode ?? 502, rest);
    received.pipe(answer);
    received.on('error', () => answer.destroy());
  });
  passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
  answer.on('close', () => socket.destroy());
  asked.pipe(passed);
}

const server = createServer((asked, answer) => void forward(asked, answer));
server.keepAliveTimeout = 60_000;
server.on('upgrade', async (asked: IncomingMessage, client: Socket, head: Buffer) => {
  client.on('error', () => {});
  const socket = await connectToOne(new Set());
  if (!socket) return void client.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n');
  const lines = Object.entries(headersFor(asked)).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${name}: ${one}\r\n`),
  );
  socket.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(head);
  client.pipe(socket).pipe(client);
  client.on('close', () => socket.destroy());
  socket.on('close', () => client.destroy());
});
server.listen(port, '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
