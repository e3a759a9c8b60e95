import ts from 'typescript';
import { typeParsers } from '../../src/base/database.ts';

/** A column as a statement returns it. */
export interface ReturnedColumn {
  name: string;
  /** The object id of its type, and the category and the element's type that the catalogue knows of it. */
  type: number;
  typeName: string;
  category: string;
  elementCategory: string | null;
  isNullable: boolean;
}

/** Texts as the server sends them, by the category of their type. */
const SAMPLES: Readonly<Record<string, string>> = { N: '1', B: 't', D: '2026-01-02 03:04:05+00', S: 'a', U: '\\x61' };

/** What the driver makes of a column: a primitive type, the name of a class, or that of an array's elements with `[]`. */
function readAs({ type, typeName, category, elementCategory }: ReturnedColumn): string {
  if (/^jsonb?$/.test(typeName)) return 'json';
  const element = SAMPLES[elementCategory ?? ''] ?? 'a';
  const value = typeParsers.getTypeParser(type, 'text')(category === 'A' ? `{${element}}` : (SAMPLES[category] ?? 'a'));
  const nameOf = (one: unknown) => (typeof one === 'object' && one !== null ? one.constructor.name : typeof one);
  return Array.isArray(value) ? `${nameOf(value[0])}[]` : nameOf(value);
}

/** Whether all that a type allows beside null is what the driver makes of a column. */
function fits(type: ts.Type, given: string, checker: ts.TypeChecker): boolean {
  const F = ts.TypeFlags;
  if (given === 'json' || type.flags & (F.Null | F.Undefined | F.Unknown)) return true;
  if (type.isUnion()) return type.types.every((part) => fits(part, given, checker));
  // A type that the ORM marks.
  if (type.isIntersection()) return type.types.some((part) => fits(part, given, checker));
  if (type.flags & F.StringLike) return given === 'string';
  if (type.flags & F.NumberLike) return given === 'number';
  if (type.flags & F.BooleanLike) return given === 'boolean';
  if (!checker.isArrayType(type)) return type.symbol?.name === given;
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return element !== undefined && given.endsWith('[]') && fits(element, given.slice(0, -2), checker);
}

const isNullable = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.Null | ts.TypeFlags.Unknown | ts.TypeFlags.Any)) !== 0 ||
  (type.isUnion() && type.types.some(isNullable));

export interface RowFault {
  column: string;
  fault: string;
}

/** What is wrong with the type of a row for the columns that a statement returns. */
export function rowFaults(row: ts.Type, columns: readonly ReturnedColumn[], checker: ts.TypeChecker): RowFault[] {
  return checker.getPropertiesOfType(row).flatMap((property): RowFault[] => {
    const type = checker.getTypeOfSymbol(property);
    const column = columns.find(({ name }) => name === property.name);
    if (!column && property.flags & ts.SymbolFlags.Optional) return [];
    const faults: string[] = [];
    if (!column) faults.push(`not among ${columns.map(({ name }) => name).join(', ') || 'no columns'}`);
    if (type.flags & ts.TypeFlags.Any) faults.push('any');
    if (column) {
      const given = readAs(column);
      if (!fits(type, given, checker))
        faults.push(`${column.typeName} is read as ${given}, not ${checker.typeToString(type)}`);
      if (column.isNullable && !isNullable(type)) faults.push('may be null');
    }
    return faults.map((fault) => ({ column: property.name, fault }));
  });
}
