import ts from 'typescript';
import type { SourceProgram } from './source-program.ts';

/** A place where an entity is created, changed or removed through the ORM. */
export interface EntityWrite {
  file: string;
  line: number;
  /** The name of its class. */
  entity: string;
}

const WRITES = /^(assign|create|insert|insertMany|native(Insert|Update|Delete)|persist|remove|upsert|upsertMany)$/;
const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Finds where entities are written. */
export function findEntityWrites({ checker, files, placeOf }: SourceProgram): EntityWrite[] {
  /** The class of an entity that a value is, or an instance of. */
  function entityOf(node: ts.Expression): string | null {
    const symbol = checker.getTypeAtLocation(node).symbol;
    const declared = symbol?.declarations?.find(ts.isClassDeclaration);
    const isEntity = declared && ts.getDecorators(declared)?.some((one) => one.getText().startsWith('@Entity('));
    return isEntity ? symbol.name : null;
  }

  function written(node: ts.Node): ts.Expression | undefined {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind))
      return ts.isPropertyAccessExpression(node.left) ? node.left.expression : undefined;
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
    const { name, expression } = node.expression;
    const isOfOrm = checker.getTypeAtLocation(expression).symbol?.name.endsWith('EntityManager') ?? false;
    const isWrite = isOfOrm ? WRITES.test(name.text) : node.expression.getText() === 'Object.assign';
    return isWrite ? node.arguments[0] : undefined;
  }

  const found: EntityWrite[] = [];
  const visit = (node: ts.Node): void => {
    const target = written(node);
    const entity = target && entityOf(target);
    if (entity) found.push({ ...placeOf(node), entity });
    ts.forEachChild(node, visit);
  };
  for (const file of files) visit(file);
  return found;
}
