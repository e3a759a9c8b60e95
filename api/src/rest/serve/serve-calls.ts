import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { DocumentNode } from 'graphql';
import type { Caller } from '../../accounts/signed-in.ts';
import { AppError } from '../../base/errors.ts';
import { requireAccess, requireKeyAccess, requireUnrestricted } from '../../policies/require-operation.ts';
import type { ReadyCall } from '../calls/ready-call.ts';
import { withNumberIds } from '../calls/shape.ts';
import { once } from './once.ts';
import { readBody } from './read-body.ts';
import { readVariables } from './read-variables.ts';
import { sendLines } from './send-lines.ts';

export interface ServeParts {
  em: EntityManager;
  callerOf(request: IncomingMessage): Caller;
  /** Once the body is there. @throws AppError UNAUTHENTICATED where the session ended meanwhile */
  revalidateSession(request: IncomingMessage): Promise<void>;
  /** Runs a GraphQL operation for a caller, in the transaction of `em` where one is given. */
  run(
    document: DocumentNode,
    variables: Record<string, unknown>,
    caller: Caller,
    em?: EntityManager,
  ): Promise<Record<string, unknown>>;
}

/** The calls of the table under their methods and paths. A known path under another method is 405. */
export function serveCalls(calls: readonly ReadyCall[], parts: ServeParts): RequestHandler {
  const router = Router();
  for (const [path, ofPath] of Map.groupBy(calls, ({ call }) => call.path)) {
    const byMethod = new Map(ofPath.map((ready) => [ready.call.method as string, ready]));
    const get = byMethod.get('GET');
    if (get && !get.call.lines) byMethod.set('HEAD', get);
    router.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, response) => {
      const ready = byMethod.get(request.method);
      if (ready) return answerCall(ready, parts, request, response);
      response.set('Allow', [...byMethod.keys()].join(', '));
      throw new AppError('METHOD_NOT_ALLOWED', `Only ${[...byMethod.keys()].join(' and ')} is taken here.`);
    });
  }
  return router;
}

async function answerCall(ready: ReadyCall, parts: ServeParts, request: Request, response: Response): Promise<void> {
  const { call, document, shape } = ready;
  const caller = parts.callerOf(request);
  // Before the body is read; the operation asks again, and for the rest.
  for (const field of ready.roots) {
    requireUnrestricted(caller.viewer, ready.kind, field);
    requireKeyAccess(caller.viewer, ready.kind, field);
  }
  requireAccess(caller.viewer, ready.access);
  const body = ready.body ? await readBody(request, response) : undefined;
  await parts.revalidateSession(request);
  const variables = readVariables(ready, { path: request.params, query: request.query, body });
  await call.before?.();
  const { status = 200 } = call;
  const work = async (em?: EntityManager) => {
    const data = withNumberIds(await parts.run(document, variables, caller, em), shape.fields);
    return { status, answer: call.answer.of(data), next: call.next?.(data) ?? null };
  };
  const key = call.once && request.get('Idempotency-Key');
  if (key !== undefined && caller.viewer) {
    const keyed = { userId: caller.viewer.id, key, call: `${call.method} ${call.path}`, variables };
    const { answer, isRepeated } = await once(parts.em, keyed, work);
    if (isRepeated) response.set('Idempotency-Replayed', 'true');
    response.status(status).json(answer);
    return;
  }
  const { answer, next } = await work();
  if (call.lines) {
    await sendLines(response, { answer, next }, (after) => {
      variables.after = after;
      return work();
    });
    return;
  }
  // Fetch says no-cache with every condition it sends: that is for caches, and Express would answer none of them.
  delete request.headers['cache-control'];
  if (next !== null) response.set('Link', `<${pageAddress(request, next)}>; rel="next"`);
  // Express adds the ETag, and answers 304 to a program that names it.
  response.status(status).json(answer);
}

function pageAddress(request: Request, after: string): string {
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set('after', after);
  return `${pathname}?${searchParams}`;
}
