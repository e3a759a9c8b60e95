import { afterAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Browser, makeBrowser } from '../../test/browser.ts';
import { bodyBombs, compressedBombs, documentBombs, jsonBombs } from '../../test/hostile/bombs.ts';
import { ADMIN_PASSWORD, setUpApi } from '../../test/make-app.ts';
import { type LogFields, silentLog } from '../base/log.ts';

/** The most CPU time of the process, sender and server together, for refusing an operation. */
const MAX_MS = 50;

let browser: Browser;
const unexpected: (LogFields | undefined)[] = [];
const api = setUpApi({ log: { ...silentLog, error: (_message, fields) => unexpected.push(fields) } }, async () => {
  browser = makeBrowser(api.url);
  await browser.gql(`mutation { login(username: "admin", password: "${ADMIN_PASSWORD}") { id } }`);
  await browser.gql('{ me { id } }');
});
afterAll(async () => {
  expect(unexpected).toEqual([]);
});

/** The least of several measurements, since other work of the process also takes CPU time. */
async function quickly<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const start = process.cpuUsage();
    const answer = await ask();
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    if (ms <= MAX_MS) return answer;
    if (attempt === 9) expect(`took ${Math.round(ms)} ms`).toBe(`at most ${MAX_MS} ms`);
  }
}

type Body = string | Uint8Array<ArrayBuffer>;

async function post(path: string, body: Body, headers: Record<string, string> = {}) {
  const answer = await browser.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const { code, errors } = (await answer.json()) as { code?: string; errors?: { extensions: { code: string } }[] };
  return { status: answer.status, code: code ?? errors?.[0]?.extensions.code };
}

const refusals = expect.stringMatching(
  /^(VALIDATION|MALFORMED|TOO_LARGE|NOT_FOUND|FORBIDDEN|PLAN_REQUIRED|PLAN_LIMIT|PASSWORD_REQUIRED)$/,
);
const refused = { code: refusals };
/** Queries with duplicates, or with large parts that are not executed. */
const harmless = /^(objects that overlap(, deeper)?|deep conditions|one long id|a long text( of brackets)?)$/;
/** A message of a socket has 64 kB at most, a body of HTTP 200. */
const [SOCKET_BYTES, HTTP_BYTES] = [45_000, 170_000];

describe('over HTTP', () => {
  it.each(Object.entries(documentBombs(HTTP_BYTES)))('a document of %s is refused at once', async (what, query) => {
    const answer = await quickly(() => post('/graphql', JSON.stringify({ query })));
    expect(answer).toMatchObject(harmless.test(what) ? { status: 200 } : refused);
  });

  it.each(Object.entries(bodyBombs(HTTP_BYTES)))('a body of %s is refused at once', async (what, body) => {
    const answer = await quickly(() => post('/graphql', body));
    expect(answer).toMatchObject(harmless.test(what) ? { status: 200 } : refused);
  });

  it.each(Object.entries(jsonBombs))('JSON of %s is refused at once, by GraphQL and by REST', async (_what, body) => {
    expect(await quickly(() => post('/graphql', body))).toMatchObject(refused);
    for (const path of ['/api/alerts', '/api/alerts/bulk', '/api/contact', '/api/subscription']) {
      expect([path, await quickly(() => post(path, body))]).toMatchObject([path, refused]);
    }
    expect(await quickly(() => post('/api/alerts', body, { 'idempotency-key': 'a-bomb' }))).toMatchObject(refused);
  });

  it('what is small only while it is packed is refused at once', async () => {
    for (const [encoding, body] of Object.entries(compressedBombs())) {
      for (const path of ['/graphql', '/api/alerts']) {
        const answer = await quickly(() => post(path, new Uint8Array(body), { 'content-encoding': encoding }));
        expect([encoding, answer.code]).toEqual([
          encoding,
          expect.stringMatching(/^(TOO_LARGE|MALFORMED|UNSUPPORTED_MEDIA_TYPE)$/),
        ]);
      }
    }
  });
});

interface Fault {
  extensions?: { code: string };
}

interface SocketMessage {
  type: string;
  payload?: Fault[] | { errors?: Fault[] };
}

/** A socket of the admin, opened by hand, so that payloads are sent unchanged. */
async function openSocket() {
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    headers: { cookie: browser.cookie ?? '', origin: api.url },
  });
  const messages: SocketMessage[] = [];
  let ended: number | null = null;
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as SocketMessage));
  socket.on('close', (code) => {
    ended = code;
  });
  socket.on('error', () => undefined);
  const next = async (count: number) => {
    await expect.poll(() => ended !== null || messages.length >= count, { interval: 2 }).toBe(true);
    return ended ?? messages[count - 1];
  };
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('{"type":"connection_init"}');
  await next(1);
  let id = 0;
  return {
    /** The answer to the operation, or the code with which the socket is closed. */
    ask(payload: string) {
      id += 1;
      socket.send(`{"id": "${id}", "type": "subscribe", "payload": ${payload}}`);
      return next(messages.length + 1);
    },
    send(text: string) {
      socket.send(text);
      return next(messages.length + 1);
    },
    isOpen: () => ended === null,
    close: () => socket.terminate(),
  };
}

/** The connection is closed, or the operation is refused before it runs or fails in a field. */
function expectRefused(answer: SocketMessage | number | undefined): void {
  if (typeof answer === 'number') {
    expect(answer).toBeGreaterThan(1000);
    return;
  }
  const { payload } = answer ?? {};
  const faults = Array.isArray(payload) ? payload : payload?.errors;
  expect([answer?.type, faults?.[0]?.extensions?.code]).toEqual([expect.stringMatching(/^(error|next)$/), refusals]);
}

describe('over a socket', () => {
  const documents = Object.entries(documentBombs(SOCKET_BYTES)).map(([what, query]) => [
    what,
    JSON.stringify({ query }),
  ]);
  const payloads = [...documents, ...Object.entries(bodyBombs(SOCKET_BYTES))] as [string, string][];

  it.each(payloads)('%s is refused at once', async (what, payload) => {
    let socket = await openSocket();
    const answer = await quickly(async () => {
      if (!socket.isOpen()) socket = await openSocket();
      return socket.ask(payload);
    });
    if (harmless.test(what)) expect(answer).toMatchObject({ type: 'next' });
    else expectRefused(answer);
    socket.close();
  });

  it.each(Object.entries(jsonBombs))('a message of %s ends it at once', async (_what, body) => {
    const answer = await quickly(async () => {
      const socket = await openSocket();
      const reply = await socket.send(body);
      socket.close();
      return reply;
    });
    expect(answer).toBeGreaterThan(1000);
  });
});
