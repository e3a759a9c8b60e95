import { readFileSync } from 'node:fs';

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
