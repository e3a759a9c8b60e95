import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readForm } from '@lotwatch/sandbox/form';
import { Ajv, type ValidateFunction } from 'ajv';
import { freePort } from '../../src/base/free-port.ts';

interface StripeRequest {
  method: string;
  path: string;
  /** The body of a POST, else the query. */
  form: string;
  headers: Record<string, string>;
}

/** Says why Stripe would refuse a request; null when it would take it. */
export type RequestCheck = (request: StripeRequest) => Promise<string | null>;

/** Asks Stripe's own test server, which keeps nothing: only whether it takes the request counts. */
export const checkWithMock =
  (mockUrl: string): RequestCheck =>
  async ({ method, path, form, headers }) => {
    const isPost = method === 'POST';
    const response = await fetch(`${mockUrl}${path}${isPost || form === '' ? '' : `?${form}`}`, {
      method,
      headers: { ...headers, authorization: 'Bearer sk_test_123' },
      ...(isPost && { body: form }),
    });
    const text = await response.text();
    return response.ok ? null : `${response.status}: ${text.slice(0, 500)}`;
  };

interface Description {
  calls: Record<string, object>;
}

const fixture = new URL('../fixtures/stripe/requests-2023-08-16.json', import.meta.url);

/** Newer than the copy of the description: taken as they are. */
export const newerThanDescription = ['GET /v1/invoice_payments'];

/** A form's fields as plain objects, without a field `expand`, which every call takes. */
function fieldsOf(form: string): Record<string, unknown> {
  const { expand, ...fields } = JSON.parse(JSON.stringify(readForm(form))) as Record<string, unknown>;
  return expand === undefined || Array.isArray(expand) ? fields : { ...fields, expand };
}

/** Holds requests against a copy of the parts of Stripe's API description that LotWatch uses. */
export function checkWithDescription(): RequestCheck {
  const { calls } = JSON.parse(readFileSync(fixture, 'utf8')) as Description;
  // A form knows texts only.
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
    // The exact path first: /configurations is no configuration's id.
    const call = known.find((one) => one.method === method && one.pattern.test(path));
    if (!call) return `no such call: ${method} ${path}`;
    const check = call.compiled();
    if (check(fieldsOf(form))) return null;
    return ajv.errorsText(check.errors, { dataVar: '' }).slice(0, 500) + JSON.stringify(check.errors?.[0]?.params);
  };
}

const run = promisify(execFile);
/** Knows Stripe's API of 2026-08-26, the newest there is; the client asks for 2026-10-28. */
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
    // Beside the place first: two runs may build at a time, and a rename is whole.
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

/** Stripe's own server for tests, which refuses unknown and mistyped parameters; null where it can't be built. */
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
