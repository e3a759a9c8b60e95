/** A row of a table whose rows belong to users. */
export interface OwnedRow<Id = number> {
  id: Id;
  userId: number;
}

/**
 * The ids of rows and of their users, as two parameters of a statement, which names both: rows are found by the former, and the
 * latter say on which server, where the tables are distributed by user.
 */
export const keysOf = <Id>(rows: readonly OwnedRow<Id>[]): [ids: Id[], userIds: number[]] => [
  rows.map(({ id }) => id),
  [...new Set(rows.map(({ userId }) => userId))],
];
