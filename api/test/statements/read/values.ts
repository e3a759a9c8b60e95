import ts from 'typescript';

/** What is only known as the program runs. */
export class Unknown {
  readonly node: ts.Node;
  constructor(node: ts.Node) {
    this.node = node;
  }
}

/** The values of variables and parameters while one function runs. */
export class Frame {
  readonly values = new Map<ts.Node, unknown>();
  readonly parent: Frame | undefined;
  constructor(parent?: Frame) {
    this.parent = parent;
  }

  /** The frame in which a variable or parameter has a value. */
  holder(declaration: ts.Node): Frame | undefined {
    return this.values.has(declaration) ? this : this.parent?.holder(declaration);
  }

  get root(): Frame {
    return this.parent?.root ?? this;
  }
}

/** A function of the program with the values that it sees. */
export class Closure {
  readonly declaration: ts.FunctionLikeDeclaration;
  readonly frame: Frame;
  constructor(declaration: ts.FunctionLikeDeclaration, frame: Frame) {
    this.declaration = declaration;
    this.frame = frame;
  }
}

/** What evaluates expressions, as the functions in them need it. */
export interface Evaluator {
  evaluate(node: ts.Expression, frame: Frame): unknown;
  /** Whether a condition holds; either way where that is not known. */
  isTrue(condition: ts.Expression, frame: Frame): boolean;
  /** The value of one part of a pattern. */
  part(element: ts.BindingElement, frame: Frame): unknown;
}

export const isConstant = (node: ts.Node): boolean => (node.flags & ts.NodeFlags.Const) !== 0;

/** What the program may use of JavaScript itself. */
const GLOBALS: Readonly<Record<string, unknown>> = { Object, Math, Number, String, Boolean };
/** Methods of strings and arrays, which have no effect but `push`. */
const METHODS =
  /^(concat|endsWith|every|filter|find|flat|flatMap|includes|join|map|padStart|push|repeat|replace|replaceAll|reverse|slice|some|split|startsWith|toLowerCase|toReversed|toSorted|toString|toUpperCase|trim|trimEnd|trimStart)$/;

export const globalOf = (name: string): unknown => GLOBALS[name];
const isGlobal = (value: unknown): boolean => Object.values(GLOBALS).includes(value);

/** The function that a call of JavaScript's own runs; null for any other call. */
export function nativeOf(object: unknown, name: string): ((...given: unknown[]) => unknown) | null {
  const isOwn = isGlobal(object) || ((typeof object === 'string' || Array.isArray(object)) && METHODS.test(name));
  const method = isOwn ? (object as Record<string, unknown>)[name] : null;
  return typeof method === 'function' ? (...given) => method.apply(object, given) : null;
}

/** The same for a call of a global function, as `String(value)`. */
export const nativeCall = (callee: unknown): ((...given: unknown[]) => unknown) | null =>
  isGlobal(callee) && typeof callee === 'function' ? (...given) => callee(...given) : null;
