import type { IncomingMessage } from 'node:http';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { logRefusal } from '../accounts/log-refusal.ts';
import type { Caller, Viewer } from '../accounts/signed-in.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { FeedEvent } from '../live/match-feed.ts';
import { type ApiParts, type Context, makeContext } from './context.ts';
import { formatError, rootFieldOf, thrownError } from './errors/format-error.ts';
import { limits, refuseLargeVariables, withinLimits } from './limits.ts';
import { idOf, loadersFor, makeSharedLoaders } from './loaders/make-loaders.ts';
import { requireAccessTo } from './operation-access.ts';
import { makePrefetch, type Prefetch } from './subscriptions/prefetch.ts';
import { runSubscription } from './subscriptions/run-subscription.ts';

export interface SocketGraphqlOptions {
  schema: GraphQLSchema;
  parts: ApiParts;
  log: Log;
  callerOf(request: IncomingMessage): Caller;
  /** Counts an operation against an API key's quota; call what it returns when the operation is done. @throws AppError */
  enterWithKey(viewer: Viewer): Promise<() => void>;
}

/** A close code of graphql-ws after which its clients don't reconnect. */
const UNAUTHORIZED = 4401;
/** Concurrent operations on one socket, and on all sockets of a user: each new match is read for each of them. */
const MAX_OPERATIONS = 50;
const MAX_OPERATIONS_OF_USER = 1000;

/** The operations running on a socket. */
interface Running {
  readonly subscriptions: Record<string, unknown>;
}

/** GraphQL over graphql-ws, with the schema, limits and errors of HTTP, for signed-in users and API keys. */
export function makeSocketOptions(options: SocketGraphqlOptions): ServerOptions<Record<string, unknown>, Extra> {
  const { schema, parts, log } = options;
  const read = makeDocumentReader(schema);
  const shared = makeSharedLoaders(parts);
  const prefetches = new WeakMap<DocumentNode, Prefetch>();

  /** Subscribers that sent the same document share one prefetch. */
  function prefetchFor(document: DocumentNode): Prefetch {
    const known = prefetches.get(document);
    if (known) return known;
    const prefetch = makePrefetch(shared);
    prefetches.set(document, prefetch);
    return prefetch;
  }
  const callerOf = (request: IncomingMessage): Caller => ({ ...options.callerOf(request), session: null });

  /** By socket and operation id: what to call when the operation is done. */
  const running = new WeakMap<object, Map<string, () => void>>();
  function done(socket: object, id: string): void {
    running.get(socket)?.get(id)?.();
    running.get(socket)?.delete(id);
  }
  async function count(socket: object, id: string, { viewer, address }: Caller): Promise<void> {
    if (!viewer?.key) return parts.limits.request(viewer?.id ?? null, address);
    const finish = await options.enterWithKey(viewer);
    running.set(socket, (running.get(socket) ?? new Map<string, () => void>()).set(id, finish));
  }

  const openOf = new Map<number, Set<Running>>();
  const runningOf = (userId: number): number =>
    [...(openOf.get(userId) ?? [])].reduce((sum, { subscriptions }) => sum + Object.keys(subscriptions).length, 0);

  return {
    subscribe: (args) => {
      const prefetch = prefetchFor(args.document);
      return runSubscription(args, async (event, context) => {
        const own = context as Context;
        if (!isFeedEvent(event)) return own;
        const { viewer } = own;
        const loaders = await prefetch(event, idOf(viewer));
        return Object.assign(Object.create(own), { loaders: loadersFor(viewer, loaders) });
      });
    },
    onConnect(socket) {
      const { viewer } = callerOf(socket.extra.request);
      if (viewer) {
        openOf.set(viewer.id, (openOf.get(viewer.id) ?? new Set()).add(socket));
        return true;
      }
      socket.extra.socket.close(UNAUTHORIZED, 'Sign in first');
      return false;
    },
    onComplete: done,
    onClose(socket) {
      for (const finish of running.get(socket)?.values() ?? []) finish();
      running.delete(socket);
      const userId = callerOf(socket.extra.request).viewer?.id;
      if (userId === undefined) return;
      const open = openOf.get(userId);
      open?.delete(socket);
      if (open?.size === 0) openOf.delete(userId);
    },
    async onSubscribe(socket, id, payload): Promise<ExecutionArgs | readonly GraphQLError[]> {
      const { extra, subscriptions } = socket;
      const caller = callerOf(extra.request);
      try {
        if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
          throw new AppError('RATE_LIMITED', 'Too many operations on one connection.');
        }
        if (caller.viewer && runningOf(caller.viewer.id) > MAX_OPERATIONS_OF_USER) {
          throw new AppError('RATE_LIMITED', 'Too many operations on all connections together.');
        }
        await count(socket, id, caller);
        const { document, errors } = read(payload.query);
        if (errors.length > 0) {
          done(socket, id);
          return errors;
        }
        refuseLargeVariables(payload.variables);
        const operation = getOperationAST(document, payload.operationName);
        if (operation) requireAccessTo(document, operation, caller.viewer);
        const isSubscription = operation?.operation === OperationTypeNode.SUBSCRIPTION;
        // A subscription lasts for days and must not count as a concurrent request.
        if (isSubscription) done(socket, id);
        return {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: makeContext(parts, caller, { loaders: isSubscription ? shared : undefined }),
        };
      } catch (error) {
        done(socket, id);
        logRefusal(parts.security, error, caller, 'socket');
        return [error instanceof GraphQLError ? error : wrapped(error)];
      }
    },
    onError: (_context, _id, _payload, errors) => errors.map((error) => formatError(error, log)),
    onNext(socket, _id, _payload, _args, { errors, ...result }) {
      for (const error of errors ?? [])
        logRefusal(parts.security, thrownError(error), callerOf(socket.extra.request), rootFieldOf(error, null));
      return { ...result, ...(errors && { errors: errors.map((error) => formatError(error, log)) }) };
    },
  };
}

/** Only events of matches have data to prefetch. */
function isFeedEvent(event: unknown): event is FeedEvent {
  return typeof event === 'object' && event !== null && 'row' in event;
}

function wrapped(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

const CACHED_DOCUMENTS = 100;
const MAX_CACHED_LENGTH = 20_000;

interface ReadDocument {
  document: DocumentNode;
  /** The violations of the schema or of our limits. */
  errors: readonly GraphQLError[];
}

/**
 * Parses and validates operations, and caches the last hundred: thousands of browsers send the same text, and each
 * subscription would otherwise hold a parsed document of its own.
 * @throws GraphQLError when the text can't be parsed
 */
function makeDocumentReader(schema: GraphQLSchema): (text: string) => ReadDocument {
  const rules = [...specifiedRules, withinLimits];
  const cache = new Map<string, ReadDocument>();
  return (text) => {
    const known = cache.get(text);
    if (known) {
      // The entry moves to the end, so that the least recently used one is dropped.
      cache.delete(text);
      cache.set(text, known);
      return known;
    }
    const document = parse(text, { maxTokens: limits.tokens });
    const read = { document, errors: validate(schema, document, rules) };
    if (text.length <= MAX_CACHED_LENGTH) cache.set(text, read);
    for (const oldest of cache.keys()) {
      if (cache.size <= CACHED_DOCUMENTS) break;
      cache.delete(oldest);
    }
    return read;
  };
}
