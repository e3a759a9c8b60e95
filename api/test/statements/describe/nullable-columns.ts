import { type Catalogue, HAS_NO_NULLS, MAY_RETURN_NULL, NEVER_NULL, WINDOW_MAY_BE_NULL } from './catalogue.ts';
import { knownColumns } from './known-columns.ts';
import { From, listsIn, nodeIn, nodesIn, nodesOf, numberIn, SubLink, type TreeNode } from './node-tree.ts';

enum Command {
  select = 1,
  update = 2,
  insert = 3,
}

/** A query in a statement, and the query around it. */
class Query {
  readonly node: TreeNode;
  readonly outer: Query | undefined;
  readonly catalogue: Catalogue;
  /** The columns, as `table.column`, of which a condition says that they are not null. */
  readonly #known: ReadonlySet<string>;
  /** The queries that are being looked at, since a recursive one reads itself. */
  readonly #open: Set<TreeNode>;
  #readsOld = false;

  constructor(node: TreeNode, catalogue: Catalogue, outer?: Query) {
    this.node = node;
    this.catalogue = catalogue;
    this.outer = outer;
    this.#open = outer ? outer.#open : new Set();
    this.#known = knownColumns(node, catalogue);
  }

  /** Whether each column that the query returns may be null. */
  columns(): boolean[] {
    const columns: boolean[] = [];
    for (;;) {
      const isNull = this.column(columns.length);
      if (isNull === undefined) return columns;
      columns.push(isNull);
    }
  }

  /** Whether a column may be null; undefined where there is none, or the query is being looked at. */
  column(index: number): boolean | undefined {
    if (this.#open.has(this.node)) return undefined;
    this.#open.add(this.node);
    try {
      const both = nodeIn(this.node, 'setOperations');
      if (both) return this.#united(both, index);
      const returning = nodesIn(this.node, 'returningList');
      const isSelect = numberIn(this.node, 'commandType') === Command.select;
      const targets = isSelect ? nodesIn(this.node, 'targetList') : returning;
      const target = targets.filter(({ fields }) => fields.resjunk !== 'true')[index];
      return target && this.isNull(nodeIn(target, 'expr'));
    } finally {
      this.#open.delete(this.node);
    }
  }

  #united(part: TreeNode, index: number): boolean | undefined {
    if (part.tag === 'RANGETBLREF') {
      const query = nodeIn(this.#tableOf(numberIn(part, 'rtindex')), 'subquery');
      return query ? new Query(query, this.catalogue, this).column(index) : undefined;
    }
    const [left, right] = ['larg', 'rarg'].map((side) => {
      const node = nodeIn(part, side);
      return node ? this.#united(node, index) : undefined;
    });
    return left === undefined ? undefined : left || (right ?? false);
  }

  #tableOf(index: number): TreeNode {
    const table = nodesIn(this.node, 'rtable')[index - 1];
    if (!table) throw new Error(`no table ${index}`);
    return table;
  }

  #above(levels: number): Query {
    if (levels === 0) return this;
    if (!this.outer) throw new Error('no query around');
    return this.outer.#above(levels - 1);
  }

  /** Whether an expression may be null. */
  isNull(node: TreeNode | null): boolean {
    if (!node) return true;
    const anyNull = (field: string) => nodesIn(node, field).some((part) => this.isNull(part));
    switch (node.tag) {
      case 'VAR':
        return this.#above(numberIn(node, 'varlevelsup')).#isColumnNull(node);
      case 'CONST':
        return node.fields.constisnull === 'true';
      case 'AGGREF':
        return this.#isAggregateNull(node);
      case 'WINDOWFUNC': {
        const { name } = this.catalogue.functionOf(numberIn(node, 'winfnoid'));
        return WINDOW_MAY_BE_NULL.has(name) || anyNull('args');
      }
      case 'FUNCEXPR':
        return this.#isCallNull(node, 'funcid');
      case 'OPEXPR':
      case 'SCALARARRAYOPEXPR':
        return this.#isCallNull(node, 'opfuncid');
      case 'BOOLEXPR':
        return anyNull('args');
      case 'COALESCEEXPR':
      case 'MINMAXEXPR':
        return nodesIn(node, 'args').every((part) => this.isNull(part));
      case 'CASEEXPR':
        return (
          this.isNull(nodeIn(node, 'defresult')) ||
          nodesIn(node, 'args').some((when) => this.isNull(nodeIn(when, 'result')))
        );
      case 'SUBLINK':
        return this.#isSubLinkNull(node);
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'COERCETODOMAIN':
      case 'ARRAYCOERCEEXPR':
      case 'COLLATEEXPR':
        return anyNull('arg');
      // Of a parameter nothing is known here: the program gives it.
      case 'PARAM':
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ARRAYEXPR':
      case 'ROWEXPR':
      case 'SQLVALUEFUNCTION':
      case 'JSONCONSTRUCTOREXPR':
        return false;
      // A slice of an array is an array.
      case 'SUBSCRIPTINGREF':
        return (
          nodesIn(node, 'reflowerindexpr').length === 0 ||
          ['refexpr', 'refupperindexpr', 'reflowerindexpr'].some((field) => anyNull(field))
        );
      default:
        return true;
    }
  }

  #isCallNull(node: TreeNode, id: string): boolean {
    const { name, isStrict } = this.catalogue.functionOf(numberIn(node, id));
    if (NEVER_NULL.has(name)) return false;
    return MAY_RETURN_NULL.has(name) || !isStrict || nodesIn(node, 'args').some((part) => this.isNull(part));
  }

  #isAggregateNull(node: TreeNode): boolean {
    const { name } = this.catalogue.functionOf(numberIn(node, 'aggfnoid'));
    if (name === 'count') return false;
    const isGrouped = nodesIn(this.node, 'groupClause').length > 0 && nodesIn(this.node, 'groupingSets').length === 0;
    if (!isGrouped || nodeIn(node, 'aggfilter')) return true;
    if (name === 'array_agg') return false;
    return nodesIn(node, 'args').some((part) => this.isNull(nodeIn(part, 'expr')));
  }

  #isSubLinkNull(node: TreeNode): boolean {
    const type = numberIn(node, 'subLinkType');
    if (type === SubLink.exists || type === SubLink.array) return false;
    const subselect = nodeIn(node, 'subselect');
    if (!subselect) return true;
    const query = new Query(subselect, this.catalogue, this);
    const isValueNull = query.column(0) ?? true;
    if (type === SubLink.any) return isValueNull || this.isNull(nodeIn(node, 'testexpr'));
    return type !== SubLink.expression || isValueNull || !query.#hasOneRow();
  }

  /** Whether it has exactly one row: it selects no rows or all of such a query, or it is an aggregate without groups. */
  #hasOneRow(): boolean {
    if (['havingQual', 'limitCount', 'limitOffset', 'setOperations'].some((field) => nodeIn(this.node, field)))
      return false;
    if (nodesIn(this.node, 'groupClause').length > 0 || this.node.fields.hasTargetSRFs === 'true') return false;
    if (this.node.fields.hasAggs === 'true') return true;
    const from = nodeIn(this.node, 'jointree');
    if (!from || nodeIn(from, 'quals')) return false;
    return nodesIn(from, 'fromlist').every((part) => {
      const read = part.tag === 'RANGETBLREF' ? this.#queryOf(this.#tableOf(numberIn(part, 'rtindex'))) : null;
      return read ? read.#hasOneRow() : false;
    });
  }

  /** The query that stands for a table: a subquery or a CTE. */
  #queryOf(from: TreeNode): Query | null {
    const kind = numberIn(from, 'rtekind');
    if (kind === From.subquery) {
      const query = nodeIn(from, 'subquery');
      return query && new Query(query, this.catalogue, this);
    }
    if (kind !== From.cte) return null;
    const around = this.#above(numberIn(from, 'ctelevelsup'));
    const cte = nodesIn(around.node, 'cteList').find(({ fields }) => fields.ctename === from.fields.ctename);
    const query = cte && nodeIn(cte, 'ctequery');
    return query ? new Query(query, this.catalogue, around) : null;
  }

  #isColumnNull(variable: TreeNode): boolean {
    const [table, column] = [numberIn(variable, 'varno'), numberIn(variable, 'varattno')];
    const from = this.#tableOf(table);
    const kind = numberIn(from, 'rtekind');
    if (kind === From.table) {
      // System columns and whole rows.
      if (column <= 0 || this.catalogue.isNotNull(numberIn(from, 'relid'), column)) return this.#isOuter(variable);
      const written = table === numberIn(this.node, 'resultRelation') && !this.#readsOld;
      if (written && numberIn(this.node, 'commandType') === Command.insert) return true;
      const set = nodesIn(this.node, 'targetList').find((target) => numberIn(target, 'resno') === column);
      if (written && numberIn(this.node, 'commandType') === Command.update && set)
        return this.#isNullBefore(nodeIn(set, 'expr'));
    }
    if (this.#known.has(`${table}.${column}`)) return false;
    return this.#isOuter(variable) || this.#isPartNull(from, kind, column - 1);
  }

  /** Whether an expression may be null in which columns stand for what they held before an update. */
  #isNullBefore(node: TreeNode | null): boolean {
    this.#readsOld = true;
    try {
      return this.isNull(node);
    } finally {
      this.#readsOld = false;
    }
  }

  /** Whether an outer join makes it null where it finds no row. */
  #isOuter({ fields }: TreeNode): boolean {
    if (this.#known.has(`${fields.varno}.${fields.varattno}`)) return false;
    return Array.isArray(fields.varnullingrels) && fields.varnullingrels.length > 1;
  }

  #isPartNull(from: TreeNode, kind: From, index: number): boolean {
    // A recursive query that is being looked at decides nothing itself.
    if (kind === From.subquery || kind === From.cte) return this.#queryOf(from)?.column(index) ?? false;
    if (kind === From.join) return this.isNull(nodesIn(from, 'joinaliasvars')[index] ?? null);
    if (kind === From.group) return this.isNull(nodesIn(from, 'groupexprs')[index] ?? null);
    if (kind === From.values) return listsIn(from, 'values_lists').some((row) => this.isNull(row[index] ?? null));
    if (kind === From.functions) return !nodesIn(from, 'functions').every((part) => this.#isFull(part));
    return true;
  }

  /** Whether a function's rows hold no null. Those of a parameter are what the program gives. */
  #isFull(part: TreeNode): boolean {
    const call = nodeIn(part, 'funcexpr');
    const { name } = this.catalogue.functionOf(call ? numberIn(call, 'funcid') : 0);
    return HAS_NO_NULLS.has(name) || (nodesOf(call, 'VAR').length === 0 && nodesOf(call, 'PARAM').length > 0);
  }
}

/** Whether each column that a statement returns may be null, as far as the database and the statement say. */
export const nullableColumns = (query: TreeNode, catalogue: Catalogue): boolean[] =>
  new Query(query, catalogue).columns();
