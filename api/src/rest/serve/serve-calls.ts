import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import { type DocumentNode, getNamedType, getNullableType, isListType } from 'graphql';
import type { CallLimits } from '../../accounts/call-limits.ts';
import type { Caller } from '../../accounts/signed-in.ts';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import { claimKey, type StoredAnswer, storeAnswer } from '../../entities/idempotency-key.ts';
import { requireAccess, requireKeyAccess, requireUnrestricted } from '../../policies/require-operation.ts';
import { aliases, type Call, guardedFields } from '../calls/call.ts';
import type { CompiledCall, Input } from '../calls/compiled-call.ts';
import { withNumberIds } from '../calls/shape.ts';
import { sendPages, sendsAllPages } from './send-pages.ts';

type Values = Readonly<Record<string, unknown>>;

/** The parts of a request from which variables are read. */
interface Received {
  path: Values;
  query: Values;
  /** Any JSON; undefined without a body. */
  body: unknown;
}

/** Reads the operation's variables. @throws AppError VALIDATION */
function readVariables({ call, path, query, body }: CompiledCall, received: Received): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const { name } of path) variables[name] = received.path[name];
  for (const input of query) {
    const value = received.query[input.name];
    if (value !== undefined && value !== '') variables[input.variable] = asTyped(input, value);
  }
  if (!body) return variables;
  const values = objectValues(call, body.fields, received.body);
  return body.variable === null ? { ...variables, ...values } : { ...variables, [body.variable]: values };
}

/** Reads the fields of an object, and of the objects in a list. */
function objectValues(call: Call, fields: readonly Input[], body: unknown): Record<string, unknown> {
  const sent = asObject(body);
  if (call.guarded) refuseGuarded(sent, fields);
  const values = call.method === 'PATCH' ? patchValues(fields, sent) : newValues(fields, sent);
  for (const { name, items } of fields) {
    const value = values[name];
    if (items && Array.isArray(value)) values[name] = value.map((item) => objectValues(call, items.fields, item));
  }
  return values;
}

/** Converts the text of a query string. What is not a number stays a text, which the operation refuses. */
function asTyped({ type }: Input, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (isListType(getNullableType(type))) return value.split(',');
  return getNamedType(type).name === 'Int' && /^-?\d+$/.test(value) ? Number(value) : value;
}

function asObject(body: unknown): Values {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Values;
  throw new AppError('VALIDATION', 'Send a JSON object.');
}

function refuseGuarded(sent: Values, fields: readonly Input[]): void {
  const set = guardedFields.filter((name) => Object.hasOwn(sent, name) && !fields.some((field) => field.name === name));
  refuseInvalid(Object.fromEntries(set.map((name) => [name, `${name} can't be set.`])));
}

/** Returns a field by its name or an alias; undefined if it was not sent. Unknown fields are ignored. */
function sentValue(sent: Values, name: string): unknown {
  if (Object.hasOwn(sent, name)) return sent[name];
  const alias = Object.keys(aliases).find((other) => aliases[other] === name && Object.hasOwn(sent, other));
  return alias === undefined ? undefined : sent[alias];
}

/** Reads a new record: null and '' count as absent. */
function newValues(fields: readonly Input[], sent: Values): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const missing: Input[] = [];
  for (const input of fields) {
    const value = sentValue(sent, input.name);
    if (value !== undefined && value !== null && value !== '') values[input.name] = value;
    else if (input.isRequired) missing.push(input);
  }
  // An empty text is kept, so that validation reports it with the form's message; an empty number is dropped.
  const areTexts = missing.every(({ type }) => getNamedType(type).name === 'String');
  if (areTexts) for (const { name } of missing) values[name] = '';
  return values;
}

/** Reads changes: an absent field stays, null and '' clear it. */
function patchValues(fields: readonly Input[], sent: Values): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name } of fields) {
    const value = sentValue(sent, name);
    if (value !== undefined) values[name] = value === '' ? null : value;
  }
  return values;
}

interface KeyedRequest {
  userId: number;
  /** The Idempotency-Key header as received. */
  key: string;
  /** Method and path. */
  call: string;
  variables: Record<string, unknown>;
}

/**
 * Returns the stored response of an earlier call with the same key. A call and its response are written in one
 * transaction: a call that fails leaves no trace and can be repeated.
 * @param work runs the call in the transaction of the given entity manager
 * @throws AppError VALIDATION for a malformed key, CONFLICT if the key belongs to a different call
 */
async function answerOnce(
  em: EntityManager,
  { userId, key, call, variables }: KeyedRequest,
  work: (tx: EntityManager) => Promise<StoredAnswer>,
): Promise<StoredAnswer & { isRepeated: boolean }> {
  if (key.length > 255 || !/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError('VALIDATION', 'Idempotency-Key must be 1 to 255 visible characters.');
  }
  const bodyHash = createHash('sha256').update(JSON.stringify(variables)).digest('base64url');
  const keyed = { userId, key, call, bodyHash };
  return em.fork().transactional(async (tx) => {
    const before = await claimKey(tx, keyed);
    if (!before) {
      const made = await work(tx);
      await storeAnswer(tx, keyed, made);
      return { ...made, isRepeated: false };
    }
    if (before.call === call && before.bodyHash === bodyHash) return { ...before, isRepeated: true };
    throw new AppError('CONFLICT', 'This Idempotency-Key was used for another request.');
  });
}

const parseJson = express.json({ limit: '200kb', strict: false, type: () => true });
const jsonTypes = ['application/json', 'application/*+json'];

/**
 * Reads the JSON body of a request; undefined without one, which needs no content type.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE; the parser's error for a body that is too large or malformed
 */
async function readBody(request: Request, response: Response): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return undefined;
  if (!request.is(jsonTypes)) throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send application/json.');
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
  return request.body as unknown;
}

export interface ServeParts {
  em: EntityManager;
  limits: Pick<CallLimits, 'listExport'>;
  callerOf(request: IncomingMessage): Caller;
  /** Called once the body was read. @throws AppError UNAUTHENTICATED if the session ended meanwhile */
  revalidateSession(request: IncomingMessage): Promise<void>;
  /** Runs a GraphQL operation for a caller, in the transaction of `em` if given. */
  run(
    document: DocumentNode,
    variables: Record<string, unknown>,
    caller: Caller,
    em?: EntityManager,
  ): Promise<Record<string, unknown>>;
}

/** Routes the calls of the table. A known path with another method is answered with 405. */
export function serveCalls(calls: readonly CompiledCall[], parts: ServeParts): RequestHandler {
  const router = Router();
  for (const [path, ofPath] of Map.groupBy(calls, ({ call }) => call.path)) {
    const byMethod = new Map(ofPath.map((ready) => [ready.call.method as string, ready]));
    const get = byMethod.get('GET');
    if (get && !sendsAllPages(get.call)) byMethod.set('HEAD', get);
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response) => {
      const ready = byMethod.get(request.method);
      if (ready) return answerCall(ready, parts, request, response);
      response.set('Allow', [...byMethod.keys()].join(', '));
      throw new AppError('METHOD_NOT_ALLOWED', `Only ${[...byMethod.keys()].join(' and ')} is accepted here.`);
    });
  }
  return router;
}

async function answerCall(ready: CompiledCall, parts: ServeParts, request: Request, response: Response): Promise<void> {
  const { call, document, shape } = ready;
  const caller = parts.callerOf(request);
  // Checked before the body is read; the operation itself checks this again, and the rest.
  for (const field of ready.roots) {
    requireUnrestricted(caller.viewer, ready.kind, field);
    requireKeyAccess(caller.viewer, ready.kind, field);
  }
  requireAccess(caller.viewer, ready.access);
  const body = ready.body ? await readBody(request, response) : undefined;
  await parts.revalidateSession(request);
  const variables = readVariables(ready, { path: request.params, query: request.query, body });
  await call.before?.();
  if (call.csv && caller.viewer) await parts.limits.listExport(caller.viewer.id);
  const { status = 200 } = call;
  const work = async (em?: EntityManager) => {
    const data = withNumberIds(await parts.run(document, variables, caller, em), shape.fields);
    return { status, answer: call.answer.of(data), next: call.next?.(data) ?? null };
  };
  const key = call.once && request.get('Idempotency-Key');
  if (key !== undefined && caller.viewer) {
    const keyed = { userId: caller.viewer.id, key, call: `${call.method} ${call.path}`, variables };
    const { answer, isRepeated } = await answerOnce(parts.em, keyed, work);
    if (isRepeated) response.set('Idempotency-Replayed', 'true');
    response.status(status).json(answer);
    return;
  }
  const { answer, next } = await work();
  if (sendsAllPages(call)) {
    await sendPages(response, call, { answer, next }, (after) => {
      variables.after = after;
      return work();
    });
    return;
  }
  // Browsers add no-cache to conditional requests, and Express would then never answer 304.
  delete request.headers['cache-control'];
  if (next !== null) response.set('Link', `<${pageAddress(request, next)}>; rel="next"`);
  // Express adds the ETag and answers 304 if the client sent it.
  response.status(status).json(answer);
}

function pageAddress(request: Request, after: string): string {
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set('after', after);
  return `${pathname}?${searchParams}`;
}
