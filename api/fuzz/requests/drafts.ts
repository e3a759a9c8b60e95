import fc, { type Arbitrary } from 'fast-check';
import type { Description, Operation } from '../description/read-description.ts';
import { type Mutation, mutation } from './mutations.ts';
import { validValue } from './valid-value.ts';

export const roles = ['user', 'admin', 'free', 'visitor'] as const;
export type Role = (typeof roles)[number];

/** A request before it is known what is there: ids and passwords are filled in when it is sent. */
export interface Draft {
  operation: Operation;
  role: Role;
  /** Chooses among what is there. */
  pick: number;
  query: Record<string, unknown>;
  body: unknown;
  mutation: Mutation | null;
}

/** Calls that hash a password take long on purpose. */
export const hashesPasswords = ({ path }: Operation): boolean => /\/(login|register|change-password)$/.test(path);
/** They would make a person of our own another one. */
const signsIn = ({ path }: Operation): boolean => /\/(login|register)$/.test(path);
const WRONG_IN_A_HUNDRED = 38;

function roleFor(operation: Operation): Arbitrary<Role> {
  if (signsIn(operation)) return fc.constant('visitor');
  const weights: Record<Role, number> = operation.path.includes('/admin/')
    ? { user: 1, admin: 12, free: 0, visitor: 1 }
    : { user: 10, admin: 6, free: 2, visitor: 1 };
  return fc.oneof(...roles.map((role) => ({ weight: weights[role], arbitrary: fc.constant(role) })));
}

function weightOf(operation: Operation): number {
  if (hashesPasswords(operation)) return 1;
  return /\/(logout|debug\/[\w-]+)$/.test(operation.path) ? 1 : 4;
}

/** One that may be left out is, now and then. */
function bodyOf({ schema, isRequired }: NonNullable<Operation['body']>, resolve: Description['resolve']) {
  const body = validValue(schema, resolve);
  return isRequired ? body : fc.option(body, { nil: undefined, freq: 10 });
}

/** Requests for every operation of a description, most of them right. */
export function drafts({ operations, resolve }: Description): Arbitrary<Draft> {
  const draftOf = (operation: Operation): Arbitrary<Draft> => {
    const asked = operation.parameters.filter((parameter) => parameter.in === 'query');
    const query = Object.fromEntries(asked.map(({ name, schema = {} }) => [name, validValue(schema, resolve)]));
    return fc.record({
      operation: fc.constant(operation),
      role: roleFor(operation),
      pick: fc.nat(),
      query: fc.record(query, { requiredKeys: asked.filter(({ required }) => required).map(({ name }) => name) }),
      body: operation.body ? bodyOf(operation.body, resolve) : fc.constant(undefined),
      mutation: fc.oneof(
        { weight: 100 - WRONG_IN_A_HUNDRED, arbitrary: fc.constant(null) },
        { weight: WRONG_IN_A_HUNDRED, arbitrary: mutation },
      ),
    });
  };
  return fc.oneof(...operations.map((operation) => ({ weight: weightOf(operation), arbitrary: draftOf(operation) })));
}
