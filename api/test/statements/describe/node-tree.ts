/** A node of the tree as which PostgreSQL has read a statement. */
export interface TreeNode {
  tag: string;
  /** The first value of each field: only constants have more, and theirs are never asked for. */
  fields: Readonly<Record<string, TreeValue>>;
}
/** A node, a list, null for `<>`, or any other token as text. */
type TreeValue = TreeNode | TreeValue[] | string | null;

const TOKEN = /[{}()]|"(?:[^"\\]|\\.)*"|(?:[^\s{}()\\]|\\.)+/gs;

/** Reads a tree that PostgreSQL has written as text. Source: PostgreSQL's `src/backend/nodes/read.c`. */
export function readNodeTree(text: string): TreeValue {
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const next = (): string => tokens[at++] ?? '';

  function value(): TreeValue {
    const token = next();
    if (token === '<>') return null;
    if (token === '{') return node();
    if (token !== '(') return token.replace(/^"(.*)"$/s, '$1').replaceAll(/\\(.)/gs, '$1');
    const list: TreeValue[] = [];
    while (tokens[at] !== ')') list.push(value());
    at += 1;
    return list;
  }
  function node(): TreeNode {
    const tag = next();
    const fields: Record<string, TreeValue> = {};
    while (tokens[at] !== '}') {
      const name = next().slice(1);
      fields[name] = value();
      while (tokens[at] !== '}' && !tokens[at]?.startsWith(':')) value();
    }
    at += 1;
    return { tag, fields };
  }
  return value();
}

const isNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function nodeIn(node: TreeNode, field: string): TreeNode | null {
  const value = node.fields[field];
  return isNode(value) ? value : null;
}

/** The nodes of a list, also where the field has one node only. */
export function nodesIn(node: TreeNode, field: string): TreeNode[] {
  const value = node.fields[field];
  return [value].flat().filter(isNode);
}

/** The lists of nodes of a list. */
export const listsIn = (node: TreeNode, field: string): TreeNode[][] =>
  [node.fields[field]].flat().map((list) => [list].flat().filter(isNode));

export const numberIn = (node: TreeNode, field: string): number => Number(node.fields[field]);

/** Every node of a tree that has the tag. */
export function nodesOf(value: TreeValue | undefined, tag: string): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap((item) => nodesOf(item, tag));
  if (!isNode(value)) return [];
  const inside = Object.values(value.fields).flatMap((field) => nodesOf(field, tag));
  return value.tag === tag ? [value, ...inside] : inside;
}

/** What a source of rows is. */
export enum From {
  table = 0,
  subquery = 1,
  join = 2,
  functions = 3,
  values = 5,
  cte = 6,
  group = 9,
}
export enum Join {
  inner = 0,
  left = 1,
  full = 2,
  right = 3,
}
export enum SubLink {
  exists = 0,
  any = 2,
  expression = 4,
  array = 6,
}
