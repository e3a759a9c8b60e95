import ts from 'typescript';
import type { SourceProgram } from './source-program.ts';

/** A call, and the name in it by which it calls: one of two in `(isOne ? one : other)()`. */
interface CallSite {
  callee: ts.Expression;
  call: ts.CallExpression;
}

/** What names of the program stand for. */
export interface Names {
  checker: ts.TypeChecker;
  /** What a name stands for, also where it is imported. */
  symbolOf(node: ts.Node): ts.Symbol | undefined;
  /** Whether it is an object of a package's, such as a pool: no text comes from there. */
  isForeign(node: ts.Identifier): boolean;
  /** All calls of a function. */
  callsOf(owner: ts.SignatureDeclaration): readonly CallSite[];
}

export function readNames({ checker, files }: SourceProgram): Names {
  /** By their name alone: to resolve them all would take most of the time. */
  const calls = new Map<string, CallSite[]>();

  function symbolOf(node: ts.Node): ts.Symbol | undefined {
    const isShorthand = node.parent && ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node;
    const symbol = isShorthand
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  function note(callee: ts.Expression, call: ts.CallExpression): void {
    if (ts.isParenthesizedExpression(callee)) note(callee.expression, call);
    if (ts.isConditionalExpression(callee)) for (const one of [callee.whenTrue, callee.whenFalse]) note(one, call);
    const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    if (!ts.isIdentifier(name)) return;
    const others = calls.get(name.text);
    if (others) others.push({ callee, call });
    else calls.set(name.text, [{ callee, call }]);
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) note(node.expression, node);
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);

  return {
    checker,
    symbolOf,
    isForeign(node) {
      const type = checker.getTypeAtLocation(node);
      if (type.flags & ts.TypeFlags.Any) return true;
      const declared = type.symbol?.declarations?.[0]?.getSourceFile();
      return declared !== undefined && /node_modules\/(?!typescript\/lib\/)/.test(declared.fileName);
    },
    callsOf(owner) {
      const named = ts.isVariableDeclaration(owner.parent) ? owner.parent.name : owner.name;
      const symbol = named && symbolOf(named);
      if (!symbol) return [];
      return (calls.get(symbol.name) ?? []).filter(({ callee }) => symbolOf(callee) === symbol);
    },
  };
}
