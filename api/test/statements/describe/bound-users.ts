import type { Catalogue } from './catalogue.ts';
import type { TreeNode } from './node-tree.ts';
import { type Column, nodesWithin, QueryPart } from './query-part.ts';

/** Tables whose rows belong to a user, and the columns by which statements ask for some of these rows. */
const OF_USERS: Readonly<Record<string, readonly string[]>> = {
  alerts: ['id'],
  alerts_to_trim: ['id', 'alert_id'],
  former_alerts: ['alert_id'],
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
  saved_listings: ['id'],
  lost_messages: ['id', 'alert_id', 'message_id'],
};

/** A source of a part, which has the rows of a table. */
interface Rows {
  part: QueryPart;
  source: number;
}

const isSame = (one: Rows, other: Rows) => one.part === other.part && one.source === other.source;

const userColumn = (part: QueryPart, source: number) => part.columnOf(source, 'user_id');

/** A part and those around it. */
const outwards = (part: QueryPart): QueryPart[] => [part, ...(part.outer ? outwards(part.outer) : [])];

/** The rows that have the user of the given ones, as far as conditions say so. */
function withSameUser(rows: Rows): Rows[] {
  const isUser = ({ part, source, column }: Column) =>
    column === userColumn(part, source) || (part.tableOf(source) === 'users' && column === part.columnOf(source, 'id'));
  const pairs = outwards(rows.part).flatMap((part) =>
    part.equations().flatMap(({ sides }) => {
      const columns = sides.map((side) => part.locate(side)).filter((column) => column !== null);
      return columns.length === 2 && columns.every(isUser) ? [columns] : [];
    }),
  );
  const found = [rows];
  for (const one of found) {
    const linked = pairs.filter((pair) => pair.some((column) => isSame(column, one))).flat();
    found.push(...linked.filter((column) => !found.some((known) => isSame(known, column))));
  }
  return found;
}

/** Whether some of these rows are asked for by anything but others of them, which lie on the same server. */
function areAskedFor(rows: readonly Rows[], part: QueryPart): boolean {
  const isOne = (column: Column | null) => column !== null && rows.some((one) => isSame(one, column));
  const isWanted = (column: Column | null) => {
    if (column?.part !== part || !isOne(column)) return false;
    const names = OF_USERS[part.tableOf(column.source)] ?? [];
    return names.some((name) => column.column === part.columnOf(column.source, name));
  };
  return part.comparisons().some((sides) =>
    [sides, sides.toReversed()].some(([one, other]) => {
      if (!nodesWithin(one, 'VAR').some((node) => isWanted(part.locate(node)))) return false;
      const by = nodesWithin(other, 'VAR', 'PARAM', 'SUBLINK');
      return by.length === 0 || !by.every((node) => isOne(part.locate(node)));
    }),
  );
}

/** The tables of which a part of a statement asks for some rows of a user without saying of whom. */
export function unboundUsers(statement: TreeNode, catalogue: Catalogue): string[] {
  const found = (part: QueryPart): string[] => {
    const tables = part.sources().flatMap((source) => {
      const table = part.tableOf(source);
      if (!(table in OF_USERS) || part.isBound(source, userColumn(part, source))) return [];
      const rows = withSameUser({ part, source });
      return outwards(part).some((around) => areAskedFor(rows, around)) ? [table] : [];
    });
    return [...tables, ...part.inner().flatMap(found)];
  };
  return [...new Set(found(new QueryPart(statement, catalogue)))];
}
