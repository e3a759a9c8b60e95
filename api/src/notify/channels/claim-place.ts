import type { ClaimScan } from '../../base/claim-scan.ts';

/** By the times at which rows are due, as PostgreSQL prints them. */
export type DueScan = ClaimScan<string>;
export const BEGINNING = '-infinity';

/** A row that a claim found, with where the next claim begins; one row without the rest where nothing was found. */
export type Placed<Row> = (Row | { [Column in keyof Row]: null }) & { place: string };

/**
 * SQL: the rows of a claim as `Placed`, and where the next claim begins: rows that come to wait are due from now on, or later;
 * a transaction that has run for longer than these seconds is found by the next scan of the whole index.
 * @param columns of `rows` @param due SQL of the first due time among what is due, null where nothing is
 * @param rows a table or a subquery, with its alias
 */
export const placedRows = (columns: string, due: string, rows: string): string => `
  select place, ${columns} from (select least((${due}), now() - interval '5 seconds')::text as place) placed left join ${rows} on true`;

/** @param id a column that each row has */
export function readPlaced<Row>(
  placed: readonly Placed<Row>[],
  id: keyof Row,
): { rows: (Row & { place: string })[]; place: string | null } {
  const rows = placed.filter((row): row is Row & { place: string } => row[id] !== null);
  return { rows, place: placed[0]?.place ?? null };
}

/** The least of some times; null where all are. */
export function soonest(...times: readonly (number | null | undefined)[]): number | null {
  const known = times.filter((ms) => ms != null);
  return known.length === 0 ? null : Math.min(...known);
}
