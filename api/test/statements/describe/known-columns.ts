import type { Catalogue } from './catalogue.ts';
import { nodeIn, nodesIn, numberIn, type TreeNode } from './node-tree.ts';

const INNER = 0;
const LEFT = 1;
const IS_NOT_NULL = 1;
const CALLS = ['FUNCEXPR', 'OPEXPR', 'SCALARARRAYOPEXPR'];

/**
 * The columns of a query's tables, as `table.column` by their numbers, of which its conditions leave no nulls: a strict
 * function of null is not true.
 */
export function knownColumns(query: TreeNode, { functionOf }: Catalogue): Set<string> {
  const known = new Set<string>();

  function noteFrom(from: TreeNode): void {
    const type = numberIn(from, 'jointype');
    const isJoin = from.tag === 'JOINEXPR';
    const sides = isJoin ? (type === INNER ? ['larg', 'rarg'] : type === LEFT ? ['larg'] : []) : ['fromlist'];
    for (const part of sides.flatMap((side) => nodesIn(from, side))) noteFrom(part);
    if (!isJoin || type === INNER) for (const condition of nodesIn(from, 'quals')) noteCondition(condition);
  }

  function noteCondition(condition: TreeNode): void {
    const { tag, fields } = condition;
    if (tag === 'BOOLEXPR' && fields.boolop === 'and')
      for (const part of nodesIn(condition, 'args')) noteCondition(part);
    if (tag === 'NULLTEST' && numberIn(condition, 'nulltesttype') === IS_NOT_NULL) noteVariables(condition);
    if (tag === 'OPEXPR' || tag === 'SCALARARRAYOPEXPR') noteVariables(condition);
  }

  function noteVariables(node: TreeNode): void {
    if (node.tag === 'VAR' && numberIn(node, 'varlevelsup') === 0)
      known.add(`${node.fields.varno}.${node.fields.varattno}`);
    if (CALLS.includes(node.tag)) {
      const id = numberIn(node, node.tag === 'FUNCEXPR' ? 'funcid' : 'opfuncid');
      if (functionOf(id).isStrict) for (const part of nodesIn(node, 'args')) noteVariables(part);
    }
    if (['NULLTEST', 'RELABELTYPE', 'COERCEVIAIO'].includes(node.tag))
      for (const part of nodesIn(node, 'arg')) noteVariables(part);
  }

  const from = nodeIn(query, 'jointree');
  if (from) noteFrom(from);
  return known;
}
