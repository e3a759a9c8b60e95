import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RequestCheck } from './request-checks.ts';

type Node = { [name: string]: unknown };

const fixture = new URL('../fixtures/stripe/objects-2026-08-21.json', import.meta.url);
const { objects } = JSON.parse(readFileSync(fixture, 'utf8')) as { objects: Record<string, Node> };

/** The fixture shows one of several kinds here, or nothing of it. */
const anyKeys = new Set(['metadata', 'last_payment_error', 'previous_attributes', 'data.object', 'phone']);

/** Optional, so that the published example leaves them out; the client's types have them. */
const leftOut = new Set([
  'features.subscription_update.products',
  'flow.subscription_update_confirm.items[].quantity',
  'payment.payment_intent',
]);

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

function compare(given: unknown, wanted: unknown, at: string, faults: string[]): void {
  // A null says nothing of its type; an id may stand where the fixture has the object, or the other way round.
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
      if (leftOut.has(path)) continue;
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
    faults.push(`${at}: no object of Stripe's is called ${kind}`);
    return;
  }
  const own: string[] = [];
  for (const [name, value] of Object.entries(node)) {
    // Only there when expanded.
    if (kind === 'invoice' && name === 'payments') inspect(value as Node, `${at}.payments`, own);
    else if (!(name in wanted)) own.push(`${name}: unknown to Stripe`);
    else if (!anyKeys.has(name)) compare(value, wanted[name], name, own);
  }
  faults.push(...own.map((fault) => `${at}(${kind}).${fault}`));
}

/** Where an answer differs from the objects that Stripe publishes: a field that they lack, or another type. */
export function shapeFaults(answer: unknown): string[] {
  const faults: string[] = [];
  if (isNode(answer)) inspect(answer, '', faults);
  return faults;
}

export interface CheckingProxy {
  url: string;
  /** Every request that Stripe would refuse, with why. */
  rejected: string[];
  /** Every field of an answer that isn't Stripe's. */
  misshapen: Set<string>;
  /** Method and path of all that was asked, with `:id` for ids. */
  asked: Map<string, number>;
  close(): Promise<void>;
}

const passedOn = ['authorization', 'content-type', 'idempotency-key', 'stripe-version'];

/** Stands before the sandbox, which answers, and shows each request to a check as well. */
export async function startCheckingProxy(target: string, check: RequestCheck): Promise<CheckingProxy> {
  const rejected: string[] = [];
  const misshapen = new Set<string>();
  const asked = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', target);
    const body = await text(request);
    const method = request.method ?? 'GET';
    const headers = Object.fromEntries(
      passedOn.flatMap((name) => (request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]])),
    );
    const form = method === 'POST' ? body : search.slice(1) || body;
    const name = `${method} ${pathname.replaceAll(/\/[a-z]+_(?:test_)?\w{8,}/g, '/:id')}`;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const why = await check({ method, path: pathname, form, headers });
    if (why !== null) rejected.push(`${name} ${decodeURIComponent(form)} → ${why}`);
    const answer = await fetch(`${target}${pathname}${search}`, {
      method,
      headers,
      ...(method !== 'GET' && body !== '' && { body }),
    });
    const told = await answer.text();
    if (answer.ok) for (const fault of shapeFaults(JSON.parse(told))) misshapen.add(fault);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(told);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    rejected,
    misshapen,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
