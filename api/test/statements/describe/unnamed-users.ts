import type { Catalogue } from './catalogue.ts';
import { nodeIn, nodesIn, nodesOf, numberIn, type TreeNode } from './node-tree.ts';

/** Tables whose rows belong to a user as well as to one of the user's alerts, and are asked for by both. */
const OF_BOTH = ['matches'];

/** The nodes of a condition that are not in a query of its own. */
function columnsOf(value: TreeNode['fields'][string] | undefined): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap(columnsOf);
  if (typeof value !== 'object' || value === null || value.tag === 'QUERY') return [];
  return value.tag === 'VAR' ? [value] : Object.values(value.fields).flatMap(columnsOf);
}

/** The tables of which a part of a statement asks for rows of an alert without naming their user. */
export function unnamedUsers(statement: TreeNode, { nameOf, columnOf }: Catalogue): string[] {
  return nodesOf(statement, 'QUERY').flatMap((query) => {
    const asked = columnsOf(nodeIn(query, 'jointree') ?? undefined).filter((one) => numberIn(one, 'varlevelsup') === 0);
    return nodesIn(query, 'rtable').flatMap((source, index) => {
      const id = numberIn(source, 'relid');
      const table = nameOf(id);
      if (!OF_BOTH.includes(table)) return [];
      const names = (column: string) =>
        asked.some((one) => numberIn(one, 'varno') === index + 1 && numberIn(one, 'varattno') === columnOf(id, column));
      return names('alert_id') && !names('user_id') ? [table] : [];
    });
  });
}
