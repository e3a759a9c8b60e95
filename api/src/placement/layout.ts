import { beginWithIndexScans } from '../base/database.ts';

/** How the tables lie: all on one PostgreSQL, or distributed by user over a cluster of Citus. */
export type Layout = 'plain' | 'citus';

let chosen: Layout = 'plain';

/** Chooses the statements that fit the layout, once, before any of them runs. */
export const chooseLayout = (layout: Layout): void => {
  chosen = layout;
};

export const isDistributed = (): boolean => chosen === 'citus';

/** Begins a transaction whose statements find a few rows by index. Citus has to know the parameters of a statement to plan it. */
export const beginForFew = (): string => (isDistributed() ? 'begin' : beginWithIndexScans);
