import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readForm } from '@lotwatch/sandbox/form';
import { Ajv, type ValidateFunction } from 'ajv';
import { readBody, startLocalServer } from '../../lab/local-server.ts';
import { freePort } from '../../src/base/free-port.ts';

interface StripeRequest {
  method: string;
  path: string;
  /** The body of a POST, else the query. */
  form: string;
  headers: Record<string, string>;
}

/** Returns why Stripe would refuse a request, or null if it would accept it. */
export type RequestCheck = (request: StripeRequest) => Promise<string | null>;

/** Checks with Stripe's own test server. It keeps no state, so only whether it accepts the request counts. */
export const checkWithMock =
  (mockUrl: string): RequestCheck =>
  async ({ method, path, form, headers }) => {
    const isPost = method === 'POST';
    const response = await fetch(`${mockUrl}${path}${isPost || form === '' ? '' : `?${form}`}`, {
      method,
      headers: { ...headers, authorization: 'Bearer sk_test_123' },
      ...(isPost && { body: form }),
    });
    return response.ok ? null : `${response.status}: ${(await response.text()).slice(0, 500)}`;
  };

interface Description {
  calls: Record<string, object>;
}

const requestsFixture = new URL('../fixtures/stripe/requests-2023-08-16.json', import.meta.url);

/** Calls newer than the copied description, which are not checked. */
export const newerThanDescription = ['GET /v1/invoice_payments'];

/** A form's fields as plain objects, without `expand`, which every call accepts. */
function fieldsOf(form: string): Record<string, unknown> {
  const { expand, ...fields } = JSON.parse(JSON.stringify(readForm(form))) as Record<string, unknown>;
  return expand === undefined || Array.isArray(expand) ? fields : { ...fields, expand };
}

/** Checks requests with a copy of the parts of Stripe's API description that LotWatch uses. */
export function checkWithDescription(): RequestCheck {
  const { calls } = JSON.parse(readFileSync(requestsFixture, 'utf8')) as Description;
  // Every value of a form is a text.
  const ajv = new Ajv({ coerceTypes: true, strict: false, allErrors: true });
  const known = Object.entries(calls).map(([call, schema]) => {
    const [method = '', path = ''] = call.split(' ');
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    let check: ValidateFunction | undefined;
    const compiled = () => (check ??= ajv.compile(schema));
    return { method, pattern, compiled };
  });
  return async ({ method, path, form }) => {
    if (newerThanDescription.includes(`${method} ${path}`)) return null;
    // An exact path comes before one with a placeholder.
    const call = known.find((one) => one.method === method && one.pattern.test(path));
    if (!call) return `no such call: ${method} ${path}`;
    const check = call.compiled();
    if (check(fieldsOf(form))) return null;
    return ajv.errorsText(check.errors, { dataVar: '' }).slice(0, 500) + JSON.stringify(check.errors?.[0]?.params);
  };
}

const run = promisify(execFile);
/** The newest release, with Stripe's API of 2026-08-26; the client uses 2026-10-28. */
const version = 'v0.203.0';
const cache = new URL('../../../.cache', import.meta.url).pathname;
const binary = join(cache, `stripe-mock-${version}`);

async function build(): Promise<void> {
  process.stderr.write('Building stripe-mock, about half a minute …\n');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-go-'));
  try {
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' };
    await run('go', ['install', `github.com/stripe/stripe-mock@${version}`], { env });
    // Two runs may build at the same time, and a rename is atomic.
    const draft = `${binary}.${process.pid}`;
    await run('cp', [join(folder, 'stripe-mock'), draft]);
    renameSync(draft, binary);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hasGo(): Promise<boolean> {
  try {
    await run('go', ['version']);
    return true;
  } catch {
    return false;
  }
}

export interface StripeMock {
  url: string;
  stop(): void;
}

async function answers(url: string, server: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 200 && server.exitCode === null; attempt++) {
    try {
      await fetch(url);
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  return false;
}

/** Starts Stripe's own test server, which refuses unknown and mistyped parameters. @returns null if it can't be built */
export async function startStripeMock(): Promise<StripeMock | null> {
  try {
    if (!existsSync(binary)) {
      if (!(await hasGo())) return null;
      await build();
    }
  } catch (error) {
    process.stderr.write(`stripe-mock could not be built: ${String(error).slice(0, 500)}\n`);
    return null;
  }
  const port = await freePort();
  const server = spawn(binary, ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  if (!(await answers(url, server))) return null;
  return { url, stop: () => server.kill('SIGKILL') };
}

type Node = { [name: string]: unknown };

const objectsFixture = new URL('../fixtures/stripe/objects-2026-08-21.json', import.meta.url);
const { objects } = JSON.parse(readFileSync(objectsFixture, 'utf8')) as { objects: Record<string, Node> };

/** Fields that hold one of several types, of which the fixture shows one at most. */
const anyKeys = new Set(['metadata', 'last_payment_error', 'previous_attributes', 'data.object', 'phone']);

/** Optional fields that the published example leaves out; the client's types have them. */
const optionalFields = new Set([
  'features.subscription_update.products',
  'flow.subscription_update_confirm.items[].quantity',
  'payment.payment_intent',
]);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

function compare(given: unknown, wanted: unknown, at: string, faults: string[]): void {
  // A null shows no type. An id may replace the object of the fixture, or the other way round.
  if (given === null || wanted === null || wanted === undefined) return;
  if (isNode(given) && typeof given.object === 'string' && at !== '') {
    inspect(given, at, faults);
    return;
  }
  if (isNode(wanted) && typeof given === 'string') return;
  if (kindOf(given) !== kindOf(wanted)) faults.push(`${at}: ${kindOf(given)} instead of ${kindOf(wanted)}`);
  else if (Array.isArray(given) && Array.isArray(wanted)) {
    for (const one of given) compare(one, wanted[0], `${at}[]`, faults);
  } else if (isNode(given) && isNode(wanted)) {
    for (const [name, value] of Object.entries(given)) {
      const path = at === '' ? name : `${at}.${name}`;
      if (optionalFields.has(path)) continue;
      if (!(name in wanted)) faults.push(`${path}: unknown to Stripe`);
      else if (!anyKeys.has(name) && !anyKeys.has(path)) compare(value, wanted[name], path, faults);
    }
  }
}

function inspect(node: Node, at: string, faults: string[]): void {
  if (node.object === 'list') {
    for (const one of node.data as Node[]) inspect(one, `${at}.data[]`, faults);
    return;
  }
  const kind = node.deleted === true ? `deleted_${String(node.object)}` : String(node.object);
  const wanted = objects[kind];
  if (!wanted) {
    faults.push(`${at}: Stripe has no object called ${kind}`);
    return;
  }
  const own: string[] = [];
  for (const [name, value] of Object.entries(node)) {
    // The field is there only when expanded.
    if (kind === 'invoice' && name === 'payments') inspect(value as Node, `${at}.payments`, own);
    else if (!(name in wanted)) own.push(`${name}: unknown to Stripe`);
    else if (!anyKeys.has(name)) compare(value, wanted[name], name, own);
  }
  faults.push(...own.map((fault) => `${at}(${kind}).${fault}`));
}

/** Lists the fields of an answer that Stripe's published objects lack or that have another type. */
export function shapeFaults(answer: unknown): string[] {
  const faults: string[] = [];
  if (isNode(answer)) inspect(answer, '', faults);
  return faults;
}

export interface CheckingProxy {
  url: string;
  /** Every request that Stripe would refuse, with the reason. */
  rejected: string[];
  /** Every field of an answer that differs from Stripe's. */
  misshapen: Set<string>;
  /** Counts of requests by method and path, with `:id` for ids. */
  requests: Map<string, number>;
  close(): Promise<void>;
}

const forwardedHeaders = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'];

/** Starts a proxy to the sandbox that also checks each request and each answer. */
export async function startCheckingProxy(target: string, check: RequestCheck): Promise<CheckingProxy> {
  const rejected: string[] = [];
  const misshapen = new Set<string>();
  const requests = new Map<string, number>();
  const server = await startLocalServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', target);
    const body = await readBody(request);
    const method = request.method ?? 'GET';
    const headers = Object.fromEntries(
      forwardedHeaders.flatMap((name) =>
        request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
      ),
    );
    const form = method === 'POST' ? body : search.slice(1) || body;
    const name = `${method} ${pathname.replaceAll(/\/[a-z]+_(?:test_)?\w{8,}/g, '/:id')}`;
    requests.set(name, (requests.get(name) ?? 0) + 1);
    const why = await check({ method, path: pathname, form, headers });
    if (why !== null) rejected.push(`${name} ${decodeURIComponent(form)} → ${why}`);
    const answer = await fetch(`${target}${pathname}${search}`, {
      method,
      headers,
      ...(method !== 'GET' && body !== '' && { body }),
    });
    const answerText = await answer.text();
    if (answer.ok) for (const fault of shapeFaults(JSON.parse(answerText))) misshapen.add(fault);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answerText);
  });
  return { ...server, rejected, misshapen, requests };
}
