import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import type { ServerOptions } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { Caller } from '../accounts/signed-in.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type ApiParts, makeContext } from './context.ts';
import { formatError } from './format-error.ts';
import { limits, withinLimits } from './limits.ts';

export interface SocketGraphqlOptions {
  schema: GraphQLSchema;
  parts: ApiParts;
  log: Log;
  callerOf(request: IncomingMessage): Caller;
}

/** graphql-ws's close code that its clients don't answer with another try. */
const UNAUTHORIZED = 4401;
/** Running at a time on one socket. */
const MAX_OPERATIONS = 50;

/** GraphQL over graphql-ws: the same schema, limits and errors as over HTTP, for signed-in browsers only. */
export function makeSocketOptions(options: SocketGraphqlOptions): ServerOptions<Record<string, unknown>, Extra> {
  const { schema, parts, log } = options;
  const rules = [...specifiedRules, withinLimits];
  const callerOf = (request: IncomingMessage): Caller => ({ ...options.callerOf(request), session: null });

  return {
    onConnect({ extra }) {
      if (callerOf(extra.request).viewer) return true;
      extra.socket.close(UNAUTHORIZED, 'Sign in first');
      return false;
    },
    async onSubscribe({ extra, subscriptions }, _id, payload): Promise<ExecutionArgs | readonly GraphQLError[]> {
      const caller = callerOf(extra.request);
      try {
        if (Object.keys(subscriptions).length > MAX_OPERATIONS) {
          throw new AppError('RATE_LIMITED', 'Too many operations on one connection.');
        }
        await parts.limits.request(caller.viewer?.id ?? null, caller.address);
        const document = parse(payload.query, { maxTokens: limits.tokens });
        const errors = validate(schema, document, rules);
        if (errors.length > 0) return errors;
        return {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: makeContext(parts, caller),
        };
      } catch (error) {
        return [error instanceof GraphQLError ? error : wrapped(error)];
      }
    },
    onError: (_context, _id, _payload, errors) => errors.map((error) => formatError(error, log)),
    onNext: (_context, _id, _payload, _args, { errors, ...result }) => ({
      ...result,
      ...(errors && { errors: errors.map((error) => formatError(error, log)) }),
    }),
  };
}

function wrapped(error: unknown): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}
