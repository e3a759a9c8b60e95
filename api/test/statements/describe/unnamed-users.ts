import type { Catalogue } from './catalogue.ts';
import { nodeIn, nodesIn, nodesOf, numberIn, type TreeNode } from './node-tree.ts';

/**
 * Tables whose rows belong to a user, and the columns by which statements ask for some of these rows. Wherever they do so they
 * name the user as well, so that a server that has rows of some users alone can be asked.
 */
const OF_USERS: Readonly<Record<string, readonly string[]>> = {
  alerts: ['id'],
  matches: ['alert_id'],
  alert_cells: ['alert_id'],
  alert_throttles: ['alert_id'],
  price_drops: ['id', 'alert_id'],
  notifications: ['id', 'alert_id', 'mail_id', 'text_id', 'push_id'],
  mails: ['id', 'alert_id'],
  mail_events: ['id', 'mail_id'],
  texts: ['id', 'alert_id'],
  pushes: ['id', 'alert_id'],
  webhooks: ['id'],
  webhook_events: ['id'],
  webhook_deliveries: ['id', 'message_id', 'webhook_id', 'event_id'],
  webhook_attempts: ['id', 'delivery_id'],
  push_subscriptions: ['id'],
};

/** What a condition compares, without what queries of its own compare. */
function comparedIn(value: TreeNode['fields'][string] | undefined): TreeNode[][] {
  if (Array.isArray(value)) return value.flatMap(comparedIn);
  if (typeof value !== 'object' || value === null || value.tag === 'QUERY') return [];
  if (value.tag === 'OPEXPR') {
    const columns = columnsIn(value);
    return columns.length > 0 ? [columns] : [];
  }
  return value.tag === 'VAR' ? [[value]] : Object.values(value.fields).flatMap(comparedIn);
}

function columnsIn(value: TreeNode['fields'][string] | undefined): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap(columnsIn);
  if (typeof value !== 'object' || value === null || value.tag === 'QUERY') return [];
  return value.tag === 'VAR' ? [value] : Object.values(value.fields).flatMap(columnsIn);
}

/**
 * The tables of which a part of a statement asks for some rows of a user without naming the user. A join with `users`, of which
 * every server has all rows, names no user by itself.
 */
export function unnamedUsers(statement: TreeNode, { nameOf, columnOf }: Catalogue): string[] {
  const found = nodesOf(statement, 'QUERY').flatMap((query) => {
    const compared = comparedIn(nodeIn(query, 'jointree') ?? undefined);
    const sources = nodesIn(query, 'rtable').map((source) => numberIn(source, 'relid'));
    const isColumn = (one: TreeNode, at: number, column: string) =>
      numberIn(one, 'varlevelsup') === 0 &&
      numberIn(one, 'varno') === at + 1 &&
      numberIn(one, 'varattno') === columnOf(sources[at] ?? 0, column);
    const comparing = (at: number, column: string) =>
      compared.filter((columns) => columns.some((one) => isColumn(one, at, column)));
    const users = sources.flatMap((id, at) => (nameOf(id) === 'users' ? at : []));
    const isJoinAlone = (columns: TreeNode[]) =>
      users.some((at) => columns.some((one) => isColumn(one, at, 'id')) && comparing(at, 'id').length === 1);
    return sources.flatMap((id, at) => {
      const table = nameOf(id);
      const asks = OF_USERS[table]?.some((column) => comparing(at, column).length > 0);
      return asks && comparing(at, 'user_id').every(isJoinAlone) ? [table] : [];
    });
  });
  return [...new Set(found)];
}
