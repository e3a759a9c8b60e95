import type { IncomingMessage } from 'node:http';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { noteRefusal } from '../accounts/note-refusal.ts';
import type { Caller, Viewer } from '../accounts/signed-in.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { FeedEvent } from '../live/match-feed.ts';
import { type ApiParts, type Context, makeContext } from './context.ts';
import { formatError, rootOf, thrownError } from './errors/format-error.ts';
import { followSubscription } from './following/follow-subscription.ts';
import { makeReadAhead, type ReadAhead } from './following/read-ahead.ts';
import { makeDocumentReader } from './following/read-documents.ts';
import { idOf, loadersFor, makeSharedLoaders } from './loaders/make-loaders.ts';
import { requireAccessTo } from './operation-access.ts';
import { refuseLargeVariables } from './variables-size.ts';

export interface SocketGraphqlOptions {
  schema: GraphQLSchema;
  parts: ApiParts;
  log: Log;
  callerOf(request: IncomingMessage): Caller;
  /** Counts an operation of an API key's; what it answers says when the operation is done. @throws AppError */
  enterWithKey(viewer: Viewer): Promise<() => void>;
}

/** graphql-ws's close code that its clients don't answer with another try. */
const UNAUTHORIZED = 4401;
/** Running at a time on one socket, and on all sockets of a user: each new match is read for each of them. */
const MAX_OPERATIONS = 50;
const MAX_OPERATIONS_OF_USER = 1000;

/** What runs on a socket. */
interface Running {
  readonly subscriptions: Record<string, unknown>;
}

/** GraphQL over graphql-ws: the same schema, limits and errors as over HTTP, for whoever is signed in or has a key. */
export function makeSocketOptions(options: SocketGraphqlOptions): ServerOptions<Record<string, unknown>, Extra> {
  const { schema, parts, log } = options;
  const read = makeDocumentReader(schema);
  const shared = makeSharedLoaders(parts);
  const aheads = new WeakMap<DocumentNode, ReadAhead>();

  /** Subscribers that sent the same document read ahead together. */
  function aheadOf(document: DocumentNode): ReadAhead {
    const known = aheads.get(document);
    if (known) return known;
    const ahead = makeReadAhead(shared);
    aheads.set(document, ahead);
    return ahead;
  }
  const callerOf = (request: IncomingMessage): Caller => ({ ...options.callerOf(request), session: null });

  /** By the socket and the operation's id: who waits to hear that it is done. */
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
      const readAhead = aheadOf(args.document);
      return followSubscription(args, async (event, context) => {
        const ours = context as Context;
        if (!isFeedEvent(event)) return ours;
        const { viewer } = ours;
        const loaders = await readAhead(event, idOf(viewer));
        return Object.assign(Object.create(ours), { loaders: loadersFor(viewer, loaders) });
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
        const follows = operation?.operation === OperationTypeNode.SUBSCRIPTION;
        // What goes on for days is no request under way.
        if (follows) done(socket, id);
        return {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: makeContext(parts, caller, { loaders: follows ? shared : undefined }),
        };
      } catch (error) {
        done(socket, id);
        noteRefusal(parts.security, error, caller, 'socket');
        return [error instanceof GraphQLError ? error : wrapped(error)];
      }
    },
    onError: (_context, _id, _payload, errors) => errors.map((error) => formatError(error, log)),
    onNext(socket, _id, _payload, _args, { errors, ...result }) {
      for (const error of errors ?? [])
        noteRefusal(parts.security, thrownError(error), callerOf(socket.extra.request), rootOf(error, null));
      return { ...result, ...(errors && { errors: errors.map((error) => formatError(error, log)) }) };
    },
  };
}

/** Only matches have something to read ahead. */
function isFeedEvent(event: unknown): event is FeedEvent {
  return typeof event === 'object' && event !== null && 'row' in event;
}

function wrapped(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
