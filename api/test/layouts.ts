import { onTestFinished } from 'vitest';
import { chooseLayout, type Layout } from '../src/placement/layout.ts';
import { onCluster } from './database.ts';

/** Those whose statements the database of the tests can run. One server has the tables of several, too. */
export const layouts: readonly Layout[] = onCluster ? ['citus'] : ['plain', 'citus'];

/** Chooses the statements of a test. */
export function chooseForTest(layout: Layout): void {
  onTestFinished(() => chooseLayout(onCluster ? 'citus' : 'plain'));
  chooseLayout(layout);
}
