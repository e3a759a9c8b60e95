import { alertFieldNames } from '../domain/forms/alert.ts';
import { columnOf } from '../entities/column-of.ts';

/**
 * A table with rows about persons. Each of its columns is exported or left out with a reason, which a test compares with
 * the database. Lists of columns are separated by spaces.
 */
export interface PersonalTable {
  table: string;
  /** The condition for a person's rows, with the parameters of `PersonKeys`. */
  owned: string;
  /** The condition for rows that are a person's though no id says so; they are erased too. */
  unlinked?: string;
  /** The condition for unlinked rows that are exported too. */
  unlinkedExported?: string;
  /** The exported columns, named in camel case; the rows are sorted by the first one. '' leaves the table out. */
  exported: string;
  /** Columns that are exported as expressions. */
  expressions?: Readonly<Record<string, string>>;
  /** The columns that are not exported, by the reason. */
  leftOut: Readonly<Record<string, string>>;
  /** Whether a person has one row at most. */
  single?: boolean;
}

/** The condition of tables with a column for the user. */
export const owned = 'user_id = :user';

export const sameInAll = { 'the same in every row': 'user_id' } as const;

/** The columns of a list that is separated by spaces. */
export const columnsIn = (list: string): string[] => list.split(/\s+/).filter(Boolean);

/** What a person edits of an alert is exported, whatever fields the form gets. */
export const alertColumns = alertFieldNames
  .filter((name) => name !== 'color')
  .map(columnOf)
  .join(' ');
