import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Description, type OpenApiDocument, readDescription } from '../../fuzz/read-description.ts';
import { insertMatches, storeCars } from '../factories.ts';
import { ADMIN_PASSWORD, makeTestApi, type TestApi } from '../make-app.ts';
import { type FakePayments, makeFakePayments } from '../payments/fake-payments.ts';
import { startPrism, violationsIn } from './prism.ts';
import { nameOf, rows, shapeErrors, shapes, statusOfCode, validBodies } from './rows.ts';

/** A caller, signed in while there is a cookie. */
export interface Person {
  id: number;
  username: string;
  password: string;
  cookie?: string | undefined;
}

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the call decides the shape
  body: any;
}

export interface RequestOptions {
  as?: Person | undefined;
  /** Replaces the parameter of the path, as it is to appear in the address. */
  id?: string | number;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** Not through Prism, which would change the request; or to another server. */
  direct?: string | true;
}

export interface World {
  api: TestApi;
  description: Description;
  admin: Person;
  /** On Free, with one alert. */
  ana: Person;
  /** On Elite, with an alert and matches. */
  ben: Person;
  visitor: Person;
  payments: FakePayments;
  /** An open checkout for plan 2. */
  checkoutOfBen: string;
  alertOfAna: number;
  alertOfBen: number;
  /** Matches only Ben's alert. */
  carOfBen: number;
  /** Matches no alert. */
  unmatchedCar: number;
  /** Sends a request and checks what must be true of every answer. */
  send(call: string, options?: RequestOptions): Promise<Reply>;
  /** Sends a request that must succeed with its status and shape. */
  succeed(call: string, options?: RequestOptions): Promise<Reply>;
  /** Sends a request that must be refused with a code. */
  refuse(code: string, call: string, options?: RequestOptions): Promise<Reply>;
  signUp(username: string, planId?: number): Promise<Person>;
  /** Statuses of the answers so far, by call. */
  seen: Map<string, Set<number>>;
  close(): Promise<void>;
}

/** Starts a LotWatch with a database, users, and Prism as a proxy to it. The client is plain `fetch`. */
export async function makeWorld(): Promise<World> {
  const payments = makeFakePayments();
  const api = await makeTestApi({ payments });
  const document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as OpenApiDocument;
  const description = readDescription(document);
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const prism = await startPrism(file, api.url);
  const seen = new Map<string, Set<number>>();
  const operationOf = new Map(description.operations.map((operation) => [plain(operation.name), operation]));

  async function send(
    call: string,
    { as, id, query, body, headers = {}, direct }: RequestOptions = {},
  ): Promise<Reply> {
    const [method = '', template = ''] = call.split(' ');
    const base = direct === undefined ? prism.url : direct === true ? api.url : direct;
    const path = template.replace(/\{\w+\}/, String(id)) + (query === undefined ? '' : `?${query}`);
    const response = await fetch(base + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(as?.cookie && { cookie: as.cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const what = `${method} ${path} ${JSON.stringify(body) ?? ''} → ${response.status} ${text}`.slice(0, 600);
    const operation = operationOf.get(plain(call));
    if (operation) {
      const answer = { status: response.status, headers: Object.fromEntries(response.headers), text };
      expect(description.faultsOf(operation, answer), what).toEqual([]);
      if (!seen.has(plain(call))) seen.set(plain(call), new Set());
      seen.get(plain(call))?.add(response.status);
    }
    const violations = violationsIn(response.headers);
    expect(
      violations.filter(({ place }) => place.startsWith('response')),
      what,
    ).toEqual([]);
    if (response.ok && operation) expect(violations, what).toEqual([]);
    expect(response.headers.get('access-control-allow-origin'), what).toBeNull();
    if (response.status !== 304) {
      expect(response.headers.get('content-type'), what).toMatch(/^application\/json\b/);
      expect(text.trimStart(), what).not.toMatch(/^</);
    }
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
    if (as && cookie) as.cookie = cookie.endsWith('=') ? undefined : cookie;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === '' ? undefined : JSON.parse(text),
    };
  }

  async function succeed(call: string, options?: RequestOptions): Promise<Reply> {
    const reply = await send(call, options);
    const row = rows.find((one) => nameOf(one) === call);
    expect([reply.status, reply.text], call).toEqual([row?.status, reply.text]);
    expect(shapeErrors(shapes[call] ?? {}, reply.body), call).toEqual([]);
    return reply;
  }

  async function refuse(code: string, call: string, options?: RequestOptions): Promise<Reply> {
    const reply = await send(call, options);
    const what = `${call} ${JSON.stringify(options)?.slice(0, 300)}`;
    expect([reply.status, reply.body.code], what).toEqual([statusOfCode[code], code]);
    expect(reply.body.message, what).toMatch(/\S/);
    return reply;
  }

  const signUp = async (username: string, planId = 1): Promise<Person> => {
    const person: Person = { id: 0, username, password: 'secret-1' };
    const body = { username, password: person.password, email: `${username}@example.test` };
    person.id = (await succeed('POST /api/register', { as: person, body })).body.id;
    await api.db.pool.query('update users set plan_id = $1 where id = $2', [planId, person.id]);
    return person;
  };

  const admin: Person = { id: 1, username: 'admin', password: ADMIN_PASSWORD };
  await succeed('POST /api/login', { as: admin, body: { username: admin.username, password: admin.password } });
  const [ana, ben] = [await signUp('ana'), await signUp('ben', 4)];
  const makeAlert = async (as: Person): Promise<number> =>
    (await succeed('POST /api/alerts', { as, body: validBodies['POST /api/alerts'] })).body.id;
  const [alertOfAna, alertOfBen] = [await makeAlert(ana), await makeAlert(ben)];
  const checkout = await send('POST /api/subscription', { as: ben, body: { planId: 2 } });
  const cars = await storeCars(api.db.pool, [{}, {}, {}, { images: [], city: null, state: null, price: null }]);
  const [unmatchedCar = 0, ...carsOfBen] = cars;
  await insertMatches(api.db.pool, alertOfBen, carsOfBen);
  return {
    api,
    description,
    admin,
    ana,
    ben,
    payments,
    checkoutOfBen: checkout.body.sessionId,
    alertOfAna,
    alertOfBen,
    carOfBen: carsOfBen[0] ?? 0,
    unmatchedCar,
    visitor: { id: 0, username: '', password: '' },
    send,
    succeed,
    refuse,
    signUp,
    seen,
    async close() {
      await prism.stop();
      await api.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A call without the names of its parameters, which the description may choose. */
export const plain = (call: string): string => call.replaceAll(/\{\w+\}/g, '{}');
