import type { Catalogue } from './catalogue.ts';
import { nodesIn, nodesOf, numberIn, type TreeNode } from './node-tree.ts';

export interface Write {
  table: string;
  /** "inserts", "deletes", or "updates" with the name of one column. */
  act: string;
}

export const UPDATES = 2;
const ACTS: Readonly<Record<number, string>> = { [UPDATES]: 'updates', 3: 'inserts', 4: 'deletes', 5: 'merges' };

/** What a statement writes, with every part of it that writes. */
export function writtenTables(statement: TreeNode, { nameOf }: Catalogue): Write[] {
  return nodesOf(statement, 'QUERY').flatMap((query): Write[] => {
    const command = numberIn(query, 'commandType');
    const act = ACTS[command];
    const target = nodesIn(query, 'rtable')[numberIn(query, 'resultRelation') - 1];
    if (act === undefined || !target) return [];
    const table = nameOf(numberIn(target, 'relid'));
    if (command !== UPDATES) return [{ table, act }];
    const set = nodesIn(query, 'targetList').filter(({ fields }) => fields.resjunk !== 'true');
    return set.map(({ fields }) => ({ table, act: `${act} ${fields.resname}` }));
  });
}
