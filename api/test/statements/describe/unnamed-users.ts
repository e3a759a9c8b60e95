import type { Catalogue } from './catalogue.ts';
import { nodeIn, nodesIn, nodesOf, numberIn, type TreeNode } from './node-tree.ts';

/**
 * Tables whose rows belong to a user, and the columns by which statements ask for some of these rows. Wherever they do so they
 * name the user as well, so that a server that has rows of some users alone can be asked.
 */
const OF_USERS: Readonly<Record<string, readonly string[]>> = {
  matches: ['alert_id'],
  alert_cells: ['alert_id'],
  alert_throttles: ['alert_id'],
  price_drops: ['id', 'alert_id'],
  webhooks: ['id'],
  webhook_events: ['id'],
  webhook_deliveries: ['id', 'message_id', 'webhook_id', 'event_id'],
  webhook_attempts: ['id', 'delivery_id'],
  push_subscriptions: ['id'],
};

/** The nodes of a condition that are not in a query of its own. */
function columnsOf(value: TreeNode['fields'][string] | undefined): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap(columnsOf);
  if (typeof value !== 'object' || value === null || value.tag === 'QUERY') return [];
  return value.tag === 'VAR' ? [value] : Object.values(value.fields).flatMap(columnsOf);
}

/** The tables of which a part of a statement asks for some rows of a user without naming the user. */
export function unnamedUsers(statement: TreeNode, { nameOf, columnOf }: Catalogue): string[] {
  const found = nodesOf(statement, 'QUERY').flatMap((query) => {
    const asked = columnsOf(nodeIn(query, 'jointree') ?? undefined).filter((one) => numberIn(one, 'varlevelsup') === 0);
    return nodesIn(query, 'rtable').flatMap((source, index) => {
      const id = numberIn(source, 'relid');
      const table = nameOf(id);
      const names = (column: string) =>
        asked.some((one) => numberIn(one, 'varno') === index + 1 && numberIn(one, 'varattno') === columnOf(id, column));
      return OF_USERS[table]?.some(names) && !names('user_id') ? [table] : [];
    });
  });
  return [...new Set(found)];
}
