import type { ErrorCode } from '../../base/errors.ts';
import type { Answer, Data } from './answers.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One row of the REST API: a method and a path that stand for a GraphQL operation. */
export interface Call {
  method: Method;
  /** Below /api, like '/alerts/{id}'; what stands in braces is a variable of the operation. */
  path: string;
  /** What it is for, in a line. */
  summary: string;
  /** The heading that it stands under in the description. */
  tag: 'Account' | 'Alerts' | 'Listings' | 'Subscription' | 'Contact' | 'Admin' | 'Debug';
  /** Only for those who are signed in, though its operation answers visitors too. */
  signedIn?: true;
  /**
   * A GraphQL operation; its row in the table of operations says who may call. Variables that neither path nor query name come from the body: those of an input object by
   * its fields, others by their own names.
   */
  operation: string;
  /** Names in the query string, and the variables that they set. */
  query?: Readonly<Record<string, string>>;
  /** Of a success; 200 unless said. */
  status?: 201;
  answer: Answer;
  /** The cursor of the page that follows, for lists that come in pages. */
  next?(data: Data): string | null;
  /** The answer's list goes out line by line, one JSON text each, and so do those of all pages that follow. */
  lines?: true;
  /** What can go wrong beyond what every such call may answer: see `failuresOf`. */
  failures?: readonly ErrorCode[];
  /** Fields that a body must not set: they are the server's. */
  guarded?: true;
  /** Fields of a body of which one at least must say something. */
  oneNeeded?: readonly string[];
  /** Takes an Idempotency-Key: the same call under the same key happens once. */
  once?: true;
  /** Done before the operation. */
  before?(): Promise<void>;
}

/** What writes may not set on an alert, a profile or a registration. */
export const guardedFields = ['id', 'userId', 'planId', 'role', 'createdAt', 'expiresAt', 'matchCount'] as const;

/** Other names that a field is taken under. */
export const aliases: Readonly<Record<string, string>> = { phoneNumber: 'phone' };

/** The variables that stand in the path, in order. */
export const pathVariables = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
