import ts from 'typescript';
import { Contradiction, type DecisionPath, everyPath, TooManyWays } from './choices.ts';
import type { Names } from './names.ts';
import { runFunction } from './run-function.ts';
import { Closure, type Evaluator, Frame, globalOf, isConstant, nativeCall, nativeOf, Unknown } from './values.ts';

const DEEPEST = 40;

/**
 * Every value that an expression of the program can have, without running the program: functions are followed to their
 * calls and calls to their functions, and both sides of a condition are taken that is only known as it runs.
 * Where there are too many ways, calls of functions are not followed, and what they are given is not known.
 * @param read takes what is wanted of a value; the fields of an object are evaluated only as they are read
 */
export function valuesOf<T>(expression: ts.Expression, names: Names, read: (value: unknown) => T): T[] {
  const values = (followsCalls: boolean) =>
    everyPath((way) => read(new Evaluation(names, way, followsCalls).evaluate(expression, new Frame())));
  try {
    return values(true);
  } catch (error) {
    if (!(error instanceof TooManyWays)) throw error;
    return values(false);
  }
}

/** The evaluation of expressions in one way. */
class Evaluation implements Evaluator {
  readonly #names: Names;
  readonly #way: DecisionPath;
  readonly #followsCalls: boolean;
  #depth = 0;

  constructor(names: Names, way: DecisionPath, followsCalls: boolean) {
    this.#names = names;
    this.#way = way;
    this.#followsCalls = followsCalls;
  }

  evaluate(node: ts.Expression, frame: Frame): unknown {
    if (this.#depth > DEEPEST) return new Unknown(node);
    this.#depth += 1;
    try {
      const value = this.#evaluate(node, frame);
      return value instanceof Unknown ? this.#byType(node, value) : value;
    } finally {
      this.#depth -= 1;
    }
  }

  isTrue(condition: ts.Expression, frame: Frame): boolean {
    const value = this.evaluate(condition, frame);
    return value instanceof Unknown ? this.#way.choose(condition, 2) === 0 : Boolean(value);
  }

  /** One of the values that a type of few values allows. */
  #byType(node: ts.Expression, unknown: Unknown): unknown {
    const type = this.#names.checker.getTypeAtLocation(node);
    const members = type.isUnion() ? type.types : [type];
    const values = members.flatMap((part) => (part.isStringLiteral() || part.isNumberLiteral() ? [part.value] : []));
    return values.length < members.length ? unknown : values[this.#way.choose(node, values.length)];
  }

  #evaluate(node: ts.Expression, frame: Frame): unknown {
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isNumericLiteral(node)) return Number(node.text);
    if (ts.isTemplateExpression(node)) return this.#template(node, frame);
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
      return node.kind === ts.SyntaxKind.TrueKeyword;
    if (node.kind === ts.SyntaxKind.NullKeyword) return null;
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
      return this.evaluate(node.expression, frame);
    if (ts.isIdentifier(node)) return this.#identifier(node, frame);
    if (ts.isPropertyAccessExpression(node)) return this.#property(node, node.name.text, frame);
    if (ts.isElementAccessExpression(node)) {
      const key = this.evaluate(node.argumentExpression, frame);
      return key instanceof Unknown ? key : this.#property(node, String(key), frame);
    }
    if (ts.isConditionalExpression(node))
      return this.evaluate(this.isTrue(node.condition, frame) ? node.whenTrue : node.whenFalse, frame);
    if (ts.isBinaryExpression(node)) return this.#binary(node, frame);
    if (ts.isArrayLiteralExpression(node)) return this.#list(node.elements, frame) ?? new Unknown(node);
    if (ts.isObjectLiteralExpression(node)) return this.#object(node, frame);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return new Closure(node, frame);
    return ts.isCallExpression(node) ? this.#call(node, frame) : new Unknown(node);
  }

  #template(node: ts.TemplateExpression, frame: Frame): unknown {
    let text = node.head.text;
    for (const { expression, literal } of node.templateSpans) {
      const isNumber = (this.#names.checker.getTypeAtLocation(expression).flags & ts.TypeFlags.NumberLike) !== 0;
      const value = isNumber ? this.#anyNumber(expression, frame) : this.evaluate(expression, frame);
      if (value instanceof Unknown || value instanceof Closure) return new Unknown(expression);
      text += `${value}${literal.text}`;
    }
    return text;
  }

  /** The number that it is, or any: it changes neither the columns nor the tables of a statement. */
  #anyNumber(node: ts.Expression, frame: Frame): unknown {
    const value = this.#way.withoutChoice(() => this.evaluate(node, frame));
    return value === undefined || value instanceof Unknown ? 1 : value;
  }

  #identifier(node: ts.Identifier, frame: Frame): unknown {
    if (node.text === 'undefined') return undefined;
    const declaration = this.#names.symbolOf(node)?.valueDeclaration;
    if (!declaration) return new Unknown(node);
    if (declaration.getSourceFile().isDeclarationFile) return globalOf(node.text) ?? new Unknown(node);
    if (this.#names.isForeign(node)) return new Unknown(node);
    if (ts.isFunctionDeclaration(declaration)) return new Closure(declaration, frame);
    if (ts.isEnumDeclaration(declaration)) {
      const { checker } = this.#names;
      return Object.fromEntries(
        declaration.members.map((member) => [member.name.getText(), checker.getConstantValue(member)]),
      );
    }
    return this.#declared(declaration, frame);
  }

  /** The value of a variable, a parameter, or a part of one. */
  #declared(declaration: ts.Node, frame: Frame): unknown {
    const holder = frame.holder(declaration);
    if (holder) return holder.values.get(declaration);
    const { root } = frame;
    const value = this.#find(declaration, root);
    root.values.set(declaration, value);
    return value;
  }

  #find(declaration: ts.Node, frame: Frame): unknown {
    if (ts.isBindingElement(declaration)) return this.part(declaration, frame);
    if (ts.isParameter(declaration)) return this.#argument(declaration, frame);
    if (!ts.isVariableDeclaration(declaration)) return new Unknown(declaration);
    const { parent: list, initializer } = declaration;
    if (ts.isForOfStatement(list.parent)) return this.#oneOf(list.parent.expression, list.parent, frame);
    return isConstant(list) && initializer ? this.evaluate(initializer, frame) : new Unknown(declaration);
  }

  #oneOf(list: ts.Expression, of: ts.Node, frame: Frame): unknown {
    const all = this.evaluate(list, frame);
    return Array.isArray(all) && all.length > 0 ? all[this.#way.choose(of, all.length)] : new Unknown(list);
  }

  part(element: ts.BindingElement, frame: Frame): unknown {
    if (element.dotDotDotToken) return new Unknown(element);
    const whole = this.#declared(element.parent.parent, frame);
    if (whole instanceof Unknown) return new Unknown(element);
    const elements: ts.NodeArray<ts.ArrayBindingElement> = element.parent.elements;
    const name = (element.propertyName ?? element.name).getText();
    const key = ts.isArrayBindingPattern(element.parent) ? elements.indexOf(element) : name;
    const value = (whole as Record<string | number, unknown> | null | undefined)?.[key];
    return value === undefined && element.initializer ? this.evaluate(element.initializer, frame) : value;
  }

  /** What one of the calls of a function gives it. */
  #argument(parameter: ts.ParameterDeclaration, frame: Frame): unknown {
    if (!this.#followsCalls) return new Unknown(parameter);
    const owner = parameter.parent;
    const index = owner.parameters.indexOf(parameter);
    // A function that is called for each element of a list.
    if (ts.isCallExpression(owner.parent) && ts.isPropertyAccessExpression(owner.parent.expression))
      return index === 0 ? this.#oneOf(owner.parent.expression.expression, owner, frame) : new Unknown(parameter);
    const sites = this.#names.callsOf(owner);
    const site = sites.length > 0 ? sites[this.#way.choose(owner, sites.length)] : undefined;
    if (!site) return new Unknown(parameter);
    this.#requireReached(site.callee, frame);
    const given = site.call.arguments[index] ?? parameter.initializer;
    return given && !ts.isSpreadElement(given) ? this.evaluate(given, frame) : undefined;
  }

  /** @throws Contradiction where a condition in the same function keeps a call from being made */
  #requireReached(callee: ts.Node, frame: Frame): void {
    for (let node = callee; !ts.isFunctionLike(node) && node.parent; node = node.parent) {
      const { parent } = node;
      if (!ts.isConditionalExpression(parent) || parent.condition === node) continue;
      if (this.isTrue(parent.condition, frame) !== (parent.whenTrue === node)) throw new Contradiction();
    }
  }

  #property(node: ts.PropertyAccessExpression | ts.ElementAccessExpression, name: string, frame: Frame): unknown {
    const constant = this.#names.checker.getConstantValue(node);
    if (constant !== undefined) return constant;
    const object = this.evaluate(node.expression, frame);
    if (object instanceof Unknown || object instanceof Closure) return new Unknown(node);
    if (object === null || object === undefined) return undefined;
    const isKnown = Object.getPrototypeOf(object) === Object.prototype || Object.hasOwn(Object(object), name);
    return isKnown ? (object as Record<string, unknown>)[name] : new Unknown(node);
  }

  #binary(node: ts.BinaryExpression, frame: Frame): unknown {
    const operator = node.operatorToken.kind;
    const left = this.evaluate(node.left, frame);
    const isOr = operator === ts.SyntaxKind.BarBarToken;
    if (isOr || operator === ts.SyntaxKind.AmpersandAmpersandToken) {
      const isTrue = left instanceof Unknown ? this.#way.choose(node, 2) === 0 : Boolean(left);
      return isTrue === isOr ? left : this.evaluate(node.right, frame);
    }
    if (operator === ts.SyntaxKind.QuestionQuestionToken) {
      const isThere = left instanceof Unknown ? this.#way.choose(node, 2) === 0 : left !== null && left !== undefined;
      return isThere ? left : this.evaluate(node.right, frame);
    }
    const right = this.evaluate(node.right, frame);
    if (left instanceof Unknown || right instanceof Unknown) return new Unknown(node);
    if (operator === ts.SyntaxKind.EqualsEqualsEqualsToken) return left === right;
    if (operator === ts.SyntaxKind.ExclamationEqualsEqualsToken) return left !== right;
    const [one, other] = [left as number, right as number];
    if (operator === ts.SyntaxKind.PlusToken) return one + other;
    if (operator === ts.SyntaxKind.MinusToken) return one - other;
    if (operator === ts.SyntaxKind.AsteriskToken) return one * other;
    return operator === ts.SyntaxKind.SlashToken ? one / other : new Unknown(node);
  }

  /** null where not all is known of how many there are. */
  #list(elements: ts.NodeArray<ts.Expression>, frame: Frame): unknown[] | null {
    const all: unknown[] = [];
    for (const element of elements) {
      const isSpread = ts.isSpreadElement(element);
      const value = this.evaluate(isSpread ? element.expression : element, frame);
      if (isSpread && !Array.isArray(value)) return null;
      all.push(...(isSpread && Array.isArray(value) ? value : [value]));
    }
    return all;
  }

  #object(node: ts.ObjectLiteralExpression, frame: Frame): unknown {
    const object: Record<string, unknown> = {};
    for (const property of node.properties) {
      if (ts.isSpreadAssignment(property)) {
        const value = this.evaluate(property.expression, frame);
        if (value instanceof Unknown) return value;
        Object.assign(object, value);
      } else if (ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property)) {
        const { name } = property;
        const key = ts.isComputedPropertyName(name) ? this.evaluate(name.expression, frame) : name.text;
        if (key instanceof Unknown) return key;
        const value = ts.isPropertyAssignment(property) ? property.initializer : property.name;
        // Only what is asked for is evaluated.
        const get = () => this.evaluate(value, frame);
        Object.defineProperty(object, String(key), { get, enumerable: true, configurable: true });
      }
    }
    return object;
  }

  #call(node: ts.CallExpression, frame: Frame): unknown {
    const given = this.#list(node.arguments, frame);
    if (!given) return new Unknown(node);
    const { expression } = node;
    if (ts.isPropertyAccessExpression(expression)) {
      const native = nativeOf(this.evaluate(expression.expression, frame), expression.name.text);
      const mayBeUnknown = expression.name.text === 'push';
      if (native) return this.#native(node, native, given, mayBeUnknown);
    }
    const callee = this.evaluate(expression, frame);
    const native = nativeCall(callee);
    if (native) return this.#native(node, native, given);
    if (!(callee instanceof Closure) || this.#depth > DEEPEST) return new Unknown(node);
    return runFunction(this, callee, given);
  }

  #native(node: ts.Node, native: (...given: unknown[]) => unknown, given: unknown[], mayBeUnknown = false): unknown {
    if (!mayBeUnknown && given.some((value) => value instanceof Unknown)) return new Unknown(node);
    const result = native(
      ...given.map((value) =>
        value instanceof Closure ? (...values: unknown[]) => runFunction(this, value, values) : value,
      ),
    );
    // A text that an unknown value has become part of.
    return typeof result === 'string' && result.includes('[object Object]') ? new Unknown(node) : result;
  }
}
