import type { Reading } from '../state/store.ts';
import { badRequest } from './stripe-error.ts';

type Node = { [name: string]: unknown };
const MAX_DEPTH = 4;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists that an object includes only when they are expanded. */
function included(at: Reading, node: Node, name: string): unknown {
  const list = (url: string, data: unknown[]) => ({ object: 'list', data: data.reverse(), has_more: false, url });
  const id = String(node.id);
  switch (`${String(node.object)}.${name}`) {
    case 'invoice.payments':
      return list(
        `/v1/invoice_payments?invoice=${id}`,
        at.all('invoice_payment').filter((one) => one.invoice === id),
      );
    case 'customer.subscriptions':
      return list(
        `/v1/customers/${id}/subscriptions`,
        at.all('subscription').filter((one) => one.customer === id && one.status !== 'canceled'),
      );
    case 'charge.refunds':
      return list(
        `/v1/charges/${id}/refunds`,
        at.all('refund').filter((one) => one.charge === id),
      );
    default:
      return undefined;
  }
}

function expandPath(at: Reading, node: unknown, path: readonly string[], whole: string): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (Array.isArray(node)) {
    for (const one of node) expandPath(at, one, path, whole);
    return;
  }
  if (!isNode(node)) return;
  const value = node[name] ?? included(at, node, name);
  if (typeof value === 'string') {
    const found = at.any(value);
    if (!found) throw badRequest(`This property cannot be expanded (${whole}).`);
    node[name] = structuredClone(found);
  } else if (value === undefined) {
    if (node.deleted === true) return;
    throw badRequest(`This property cannot be expanded (${whole}).`);
  } else if (isNode(value) || Array.isArray(value)) {
    node[name] = structuredClone(value);
  }
  expandPath(at, node[name], rest, whole);
}

/** Replaces ids in an answer by their objects. @throws StripeError for what can't be expanded */
export function expand(at: Reading, answer: object, paths: readonly string[]): void {
  for (const path of paths) {
    const names = path.split('.');
    if (names.length > MAX_DEPTH + (names[0] === 'data' ? 1 : 0))
      throw badRequest('You cannot expand more than 4 levels of a property.', 'expand');
    expandPath(at, answer, names, path);
  }
}
