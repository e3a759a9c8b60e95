import type { Catalogue } from './catalogue.ts';
import { From, Join, listsIn, nodeIn, nodesIn, numberIn, SubLink, type TreeNode } from './node-tree.ts';

type Value = TreeNode['fields'][string] | undefined;

/** The nodes of a tag that are not in another one of these tags, nor in a query of the value. */
export function nodesWithin(value: Value, ...tags: string[]): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap((one) => nodesWithin(one, ...tags));
  if (typeof value !== 'object' || value === null) return [];
  if (tags.includes(value.tag)) return [value];
  return value.tag === 'QUERY' ? [] : Object.values(value.fields).flatMap((field) => nodesWithin(field, ...tags));
}

/** A comparison for equality. */
export interface Equation {
  sides: readonly [TreeNode, TreeNode];
  /** The sources whose rows it limits. */
  limits: ReadonlySet<number>;
  /** The query with whose rows it compares. */
  query: TreeNode | null;
}

/** A condition, as far as it compares for equality. */
type Condition = Equation | { all: readonly Condition[] } | { any: readonly Condition[] };

/** A column of a source, which has its place among the sources of its part. */
export interface Column {
  part: QueryPart;
  source: number;
  column: number;
}

/** Queries that are evaluated by themselves, so that their rows are known to the query around them. */
const BY_ITSELF = ['limitCount', 'limitOffset', 'distinctClause', 'groupClause', 'setOperations', 'havingQual'];

/** A query in a statement with the query around it: what it joins, and which columns are equal to what is known before. */
export class QueryPart {
  readonly #node: TreeNode;
  readonly #catalogue: Catalogue;
  readonly outer: QueryPart | undefined;
  readonly #sources: readonly TreeNode[];
  readonly #conditions: readonly Condition[];
  /** As `source.column`. */
  readonly #bound = new Set<string>();

  constructor(node: TreeNode, catalogue: Catalogue, outer?: QueryPart) {
    this.#node = node;
    this.#catalogue = catalogue;
    this.outer = outer;
    this.#sources = nodesIn(node, 'rtable');
    this.#conditions = nodesIn(node, 'jointree').flatMap((tree) => this.#read(tree).conditions);
    for (let before = -1; before < this.#bound.size; ) {
      before = this.#bound.size;
      for (const column of this.#boundBy({ all: this.#conditions })) this.#bound.add(column);
    }
  }

  /** The queries in this one. */
  inner(): QueryPart[] {
    return nodesWithin(Object.values(this.#node.fields), 'QUERY').map((query) => this.#inner(query));
  }

  #inner = (query: TreeNode): QueryPart => new QueryPart(query, this.#catalogue, this);

  /** The places of its sources. */
  sources(): number[] {
    return this.#sources.map((_, at) => at + 1);
  }

  /** The table that a source is, or ''. */
  tableOf(source: number): string {
    return this.#catalogue.nameOf(numberIn(this.#source(source), 'relid'));
  }

  columnOf(source: number, name: string): number | undefined {
    return this.#catalogue.columnOf(numberIn(this.#source(source), 'relid'), name);
  }

  #source(source: number): TreeNode {
    const found = this.#sources[source - 1];
    if (!found) throw new Error(`no source ${source}`);
    return found;
  }

  /** The comparisons for equality that hold for each row. */
  equations(): Equation[] {
    const own = (condition: Condition): Equation[] =>
      'all' in condition ? condition.all.flatMap(own) : 'any' in condition ? [] : [condition];
    return this.#conditions.flatMap(own);
  }

  /** All comparisons for equality, also those of which another one may hold instead, but none that must not hold. */
  comparisons(): TreeNode[][] {
    const found = (value: Value): TreeNode[] =>
      nodesWithin(value, 'OPEXPR', 'SCALARARRAYOPEXPR', 'BOOLEXPR').flatMap((node) => {
        if (node.fields.boolop === 'not') return [];
        return this.#isEquality(node) ? [node] : found(Object.values(node.fields));
      });
    return found(this.#node.fields.jointree).map((node) => nodesIn(node, 'args'));
  }

  #isEquality({ tag, fields }: TreeNode): boolean {
    const compares = tag === 'OPEXPR' || (tag === 'SCALARARRAYOPEXPR' && fields.useOr === 'true');
    return compares && this.#catalogue.isEquality(Number(fields.opno));
  }

  /** The conditions of a tree of joins, and the sources in it. An outer join doesn't limit the side that keeps all rows. */
  #read(tree: TreeNode): { conditions: Condition[]; sources: number[] } {
    if (tree.tag === 'RANGETBLREF') return { conditions: [], sources: [numberIn(tree, 'rtindex')] };
    const read = (field: string) => nodesIn(tree, field).map((one) => this.#read(one));
    const [left, right] = tree.tag === 'FROMEXPR' ? [read('fromlist'), []] : [read('larg'), read('rarg')];
    const all = [...left, ...right];
    const type = tree.tag === 'FROMEXPR' ? Join.inner : numberIn(tree, 'jointype');
    const limited = { [Join.inner]: all, [Join.left]: right, [Join.right]: left }[type] ?? [];
    const limits = new Set(limited.flatMap(({ sources }) => sources));
    const own = nodesIn(tree, 'quals').map((condition) => this.#condition(condition, limits));
    return {
      conditions: [...all.flatMap(({ conditions }) => conditions), ...own],
      sources: all.flatMap(({ sources }) => sources),
    };
  }

  #condition(node: TreeNode, limits: ReadonlySet<number>, query: TreeNode | null = null): Condition {
    const parts = (field: string, of = query) => nodesIn(node, field).map((one) => this.#condition(one, limits, of));
    if (node.tag === 'BOOLEXPR' && node.fields.boolop === 'and') return { all: parts('args') };
    if (node.tag === 'BOOLEXPR' && node.fields.boolop === 'or') return { any: parts('args') };
    if (node.tag === 'SUBLINK' && numberIn(node, 'subLinkType') === SubLink.any)
      return { all: parts('testexpr', nodeIn(node, 'subselect')) };
    const [left, right] = nodesIn(node, 'args');
    return left && right && this.#isEquality(node) ? { sides: [left, right], limits, query } : { all: [] };
  }

  /** The columns that a condition makes equal to what is known. */
  #boundBy(condition: Condition): string[] {
    if ('all' in condition) return condition.all.flatMap((one) => this.#boundBy(one));
    if ('any' in condition) {
      const [first = [], ...others] = condition.any.map((one) => this.#boundBy(one));
      return first.filter((column) => others.every((columns) => columns.includes(column)));
    }
    const { sides, limits, query } = condition;
    return [sides, sides.toReversed()].flatMap(([one, other]) => {
      const column = one && this.locate(one);
      if (column?.part !== this || !limits.has(column.source) || !this.#isKnown(other, query)) return [];
      return [`${column.source}.${column.column}`];
    });
  }

  /** The column that an expression stands for: a cast to a type of the same form, or a name that it has in a join or a group, is none. */
  locate(node: TreeNode): Column | null {
    if (node.tag === 'RELABELTYPE') return this.locate(nodeIn(node, 'arg') ?? node);
    if (node.tag !== 'VAR') return null;
    const part = this.#above(numberIn(node, 'varlevelsup'));
    const [source, column] = [numberIn(node, 'varno'), numberIn(node, 'varattno')];
    const { joinaliasvars: joined, groupexprs: grouped } = part.#source(source).fields;
    const alias = [joined ?? grouped ?? []].flat()[column - 1];
    if (alias === undefined) return { part, source, column };
    return typeof alias === 'object' && alias !== null && !Array.isArray(alias) ? part.locate(alias) : null;
  }

  #above(levels: number): QueryPart {
    if (levels === 0) return this;
    if (!this.outer) throw new Error('no query around');
    return this.outer.#above(levels - 1);
  }

  isBound(source: number, column: number | undefined): boolean {
    return this.#bound.has(`${source}.${column}`);
  }

  /** Whether an expression has only parameters, and columns that are equal to what is known. */
  #isKnown(value: Value, query: TreeNode | null = null): boolean {
    return nodesWithin(value, 'VAR', 'SUBLINK', 'PARAM').every((node) => {
      if (node.tag === 'SUBLINK') return this.#isReturned(nodeIn(node, 'subselect'), 1, true);
      if (node.tag === 'PARAM')
        return numberIn(node, 'paramkind') === 0 || this.#isReturned(query, numberIn(node, 'paramid'), true);
      const column = this.locate(node);
      if (!column) return false;
      return column.part.#isColumnKnown(column.source, column.column);
    });
  }

  #isColumnKnown(at: number, column: number): boolean {
    if (this.isBound(at, column)) return true;
    const source = this.#source(at);
    switch (numberIn(source, 'rtekind')) {
      // It is read before, and is judged by itself.
      case From.cte:
        return true;
      case From.subquery:
        return this.#isReturned(nodeIn(source, 'subquery'), column);
      case From.values:
        return listsIn(source, 'values_lists').every((row) => this.#isKnown(row[column - 1]));
      case From.functions:
        return this.#isKnown(nodesIn(source, 'functions'));
      default:
        return false;
    }
  }

  /** Whether what a query in this one returns is known before this one's other rows are. */
  #isReturned(query: TreeNode | null, column: number, isReadBefore = false): boolean {
    if (!query) return false;
    const isByItself = query.fields.hasAggs === 'true' || BY_ITSELF.some((field) => nodesIn(query, field).length > 0);
    return this.#inner(query).#returns(column, isReadBefore || isByItself);
  }

  #returns(column: number, isReadBefore: boolean): boolean {
    const united = nodesWithin(this.#node.fields.setOperations, 'RANGETBLREF').map((leaf) => numberIn(leaf, 'rtindex'));
    if (united.length > 0)
      return united.every((source) => this.#isReturned(nodeIn(this.#source(source), 'subquery'), column, true));
    const target = nodesIn(this.#node, 'targetList').filter(({ fields }) => fields.resjunk !== 'true')[column - 1];
    if (!target) return false;
    if (!isReadBefore) return this.#isKnown(target.fields.expr);
    return nodesWithin(target.fields.expr, 'VAR').every((node) => {
      const read = this.locate(node);
      if (read?.part === this && numberIn(this.#source(read.source), 'rtekind') === From.table) return true;
      return this.#isKnown(node);
    });
  }
}
