import { AppError } from '../base/errors.ts';

/** More than any operation takes: what is larger would be looked at field by field, and each fault told with the whole. */
export const variableLimits = { depth: 10, fields: 100, items: 1_000, name: 200 };

function faultIn(value: unknown, depth: number): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (depth === 0) return `they nest deeper than ${variableLimits.depth}`;
  const isList = Array.isArray(value);
  const most = isList ? variableLimits.items : variableLimits.fields;
  let parts = 0;
  for (const name in value) {
    if (++parts > most) return isList ? `a list has more than ${most} items` : `an object has more than ${most} fields`;
    if (!isList && name.length > variableLimits.name) return `a name is longer than ${variableLimits.name} characters`;
    const fault = faultIn((value as Record<string, unknown>)[name], depth - 1);
    if (fault !== null) return fault;
  }
  return null;
}

/** Before graphql compares them with their types. @throws AppError VALIDATION */
export function refuseLargeVariables(variables: unknown): void {
  const fault = faultIn(variables, variableLimits.depth);
  if (fault !== null) throw new AppError('VALIDATION', `The variables are too large: ${fault}.`);
}
