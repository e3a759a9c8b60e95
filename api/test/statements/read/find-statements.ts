import ts from 'typescript';
import { valuesOf } from './evaluate.ts';
import { readNames } from './names.ts';
import type { SourceProgram } from './source-program.ts';

/** A call of `query` of a pool, a client or whatever else runs statements. */
export interface StatementCall {
  /** The file, from the project's folder. */
  file: string;
  line: number;
  /** The call in the program's own words. */
  source: string;
  /** Every text that the statement can have; null where one of them is only known as the program runs. */
  texts: readonly string[] | null;
  /** Those of them that a connection prepares once, under a name, and keeps. */
  named: readonly string[];
  /** Its names, each with a text that it has under it. A name is one of a prepared statement, or the comment before another one. */
  names: readonly { name: string; text: string }[];
  /** The type of a row; undefined where the call gives none. */
  row: ts.Type | undefined;
  /** Whether it gives no type and yet uses more of the rows than how many there are. */
  readsUntyped: boolean;
}

/** Finds all statements of a program. */
export function findStatements(program: SourceProgram): StatementCall[] {
  const { checker, files, placeOf } = program;
  const names = readNames(program);

  /** null where the call runs no statement. */
  function rowOf(call: ts.CallExpression): ts.Type | null {
    const signature = checker.getResolvedSignature(call);
    const answer = signature && checker.getAwaitedType(checker.getReturnTypeOfSignature(signature));
    const rows = answer?.getProperty('rows');
    return (rows && checker.getIndexTypeOfType(checker.getTypeOfSymbol(rows), ts.IndexKind.Number)) ?? null;
  }

  function textsOf(call: ts.CallExpression): string[] | null {
    const [first] = call.arguments;
    if (!first || ts.isSpreadElement(first)) return null;
    const texts = valuesOf(first, names, (value) => {
      const text = typeof value === 'object' && value !== null && 'text' in value ? value.text : value;
      return typeof text === 'string' ? text : null;
    });
    const known = texts.filter((text) => text !== null);
    return known.length < texts.length ? null : [...new Set(known)];
  }

  function namedTextsOf(call: ts.CallExpression): string[] {
    const [first] = call.arguments;
    if (!first || ts.isSpreadElement(first)) return [];
    const texts = valuesOf(first, names, (value) =>
      typeof value === 'object' && value !== null && 'text' in value && 'name' in value ? value.text : null,
    );
    return [...new Set(texts.filter((text) => typeof text === 'string'))];
  }

  function namesOf(call: ts.CallExpression): { name: string; text: string }[] {
    const [first] = call.arguments;
    if (!first || ts.isSpreadElement(first)) return [];
    const found = valuesOf(first, names, (value) => {
      const { name, text }: { name?: unknown; text?: unknown } =
        typeof value === 'string'
          ? { name: /^\s*\/\* ([\w-]+) \*\//.exec(value)?.[1], text: value }
          : typeof value === 'object' && value !== null
            ? value
            : {};
      return typeof name === 'string' && typeof text === 'string' ? { name, text } : null;
    });
    return [...new Map(found.flatMap((one) => (one ? [[`${one.name} ${one.text}`, one]] : []))).values()];
  }

  /** Whether more of the rows is used than their number, where the call's answer or its rows are given a name. */
  function usesRows(call: ts.CallExpression): boolean {
    const answer = ts.isAwaitExpression(call.parent) ? call.parent.parent : call.parent;
    if (!ts.isVariableDeclaration(answer) || !ts.isObjectBindingPattern(answer.name)) return false;
    const rows = answer.name.elements.find(({ name, propertyName }) => (propertyName ?? name).getText() === 'rows');
    const symbol = rows && names.symbolOf(rows.name);
    const isUse = (node: ts.Node): boolean =>
      ts.isIdentifier(node) && node !== rows?.name && names.symbolOf(node) === symbol
        ? !(ts.isPropertyAccessExpression(node.parent) && node.parent.name.text === 'length')
        : (ts.forEachChild(node, (child) => isUse(child) || undefined) ?? false);
    const block = answer.parent.parent.parent;
    return symbol !== undefined && isUse(block);
  }

  function read(call: ts.CallExpression): StatementCall | null {
    const row = rowOf(call);
    if (!row) return null;
    const isTyped = !(row.flags & ts.TypeFlags.Any) && row.symbol?.name !== 'QueryResultRow';
    return {
      ...placeOf(call),
      source: call.getText(),
      texts: textsOf(call),
      named: namedTextsOf(call),
      names: namesOf(call),
      row: isTyped ? row : undefined,
      readsUntyped: !isTyped && usesRows(call),
    };
  }

  const found: StatementCall[] = [];
  const visit = (node: ts.Node): void => {
    const isQuery =
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'query';
    const call = isQuery ? read(node) : null;
    if (call) found.push(call);
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return found;
}
