import ts from 'typescript';
import { type Closure, type Evaluator, Frame, isConstant, Unknown } from './values.ts';

class Returned {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** Runs a function on known values. Of its statements those are understood that our functions of texts are made of. */
export function runFunction(evaluation: Evaluator, closure: Closure, given: readonly unknown[]): unknown {
  const { declaration, frame: outer } = closure;
  const { body, parameters } = declaration;
  if (!body || declaration.asteriskToken) return new Unknown(declaration);
  const frame = new Frame(outer);
  parameters.forEach((parameter, index) => {
    const value = parameter.dotDotDotToken ? given.slice(index) : given[index];
    const { initializer } = parameter;
    const isAbsent = value === undefined && initializer !== undefined;
    frame.values.set(parameter, isAbsent ? evaluation.evaluate(initializer, frame) : value);
    destructure(parameter.name);
  });
  if (!ts.isBlock(body)) return evaluation.evaluate(body, frame);
  return runBlock(body.statements)?.value;

  /** Sets the parts of a pattern, whose whole the frame has. */
  function destructure(name: ts.BindingName): void {
    if (ts.isIdentifier(name)) return;
    for (const element of name.elements) {
      if (ts.isOmittedExpression(element)) continue;
      frame.values.set(element, evaluation.part(element, frame));
      destructure(element.name);
    }
  }

  function runBlock(statements: readonly ts.Statement[]): Returned | undefined {
    for (const statement of statements) {
      const returned = runStatement(statement);
      if (returned) return returned;
    }
    return undefined;
  }

  function runStatement(statement: ts.Statement): Returned | undefined {
    if (ts.isReturnStatement(statement))
      return new Returned(statement.expression && evaluation.evaluate(statement.expression, frame));
    if (ts.isBlock(statement)) return runBlock(statement.statements);
    if (ts.isExpressionStatement(statement)) evaluation.evaluate(statement.expression, frame);
    if (ts.isVariableStatement(statement)) {
      const { declarationList } = statement;
      for (const variable of declarationList.declarations) {
        const value = variable.initializer && evaluation.evaluate(variable.initializer, frame);
        frame.values.set(variable, isConstant(declarationList) ? value : new Unknown(variable));
        destructure(variable.name);
      }
    }
    if (ts.isIfStatement(statement)) {
      const { expression, thenStatement, elseStatement } = statement;
      const chosen = evaluation.isTrue(expression, frame) ? thenStatement : elseStatement;
      return chosen && runStatement(chosen);
    }
    return undefined;
  }
}
