import { byUser, copied, ofEachServer } from '../../../src/placement/table-places.ts';
import type { Catalogue } from './catalogue.ts';
import { nodesIn, numberIn, type TreeNode } from './node-tree.ts';

type Value = TreeNode['fields'][string] | undefined;

const withUser = new Set<string>(byUser);
const everywhere = new Set<string>([...copied, ...ofEachServer]);

const isNode = (value: Value): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The nodes of a tag that are not in a query within this one. */
function own(value: Value, tag: string): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap((one) => own(one, tag));
  if (!isNode(value)) return [];
  if (value.tag === tag) return [value];
  return value.tag === 'QUERY' ? [] : Object.values(value.fields).flatMap((field) => own(field, tag));
}

const inQuery = ({ fields }: TreeNode, tag: string) => Object.values(fields).flatMap((field) => own(field, tag));

/**
 * Finds joins of rows that lie with their user and rows that lie on one server: in one query, or in a subquery that
 * names columns of the one around it. No server has both.
 * @returns each with both tables
 */
export function splitJoins(statement: TreeNode, catalogue: Catalogue): string[] {
  function joinsIn(query: TreeNode, around: readonly string[]): string[] {
    const named = nodesIn(query, 'rtable').map((source) => catalogue.nameOf(numberIn(source, 'relid')));
    const isCorrelated = inQuery(query, 'VAR').some((one) => numberIn(one, 'varlevelsup') > 0);
    const tables = isCorrelated ? [...around, ...named] : named;
    const near = tables.filter((table) => withUser.has(table));
    const far = tables.filter((table) => table !== '' && !withUser.has(table) && !everywhere.has(table));
    return [
      ...near.flatMap((one) => far.map((other) => `${one}, ${other}`)),
      ...inQuery(query, 'QUERY').flatMap((inner) => joinsIn(inner, tables)),
    ];
  }
  return [...new Set(own(statement, 'QUERY').flatMap((query) => joinsIn(query, [])))];
}
