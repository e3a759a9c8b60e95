import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { RequestHandler } from 'express';
import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, visit } from 'graphql';
import { logRefusal } from '../accounts/log-refusal.ts';
import type { Caller } from '../accounts/signed-in.ts';
import { httpHeadOf } from '../base/describe-error.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type ApiParts, type Context, makeContext } from './context.ts';
import { formatError, rootFieldOf, thrownError } from './errors/format-error.ts';
import { limits, refuseLargeVariables, withinLimits } from './limits.ts';
import { requireAccessTo } from './operation-access.ts';

export interface GraphqlOptions {
  schema: GraphQLSchema;
  parts: ApiParts;
  log: Log;
  /** In production only signed-in callers may introspect. */
  production: boolean;
  callerOf(request: IncomingMessage): Caller;
}

export interface GraphqlOverHttp {
  /** Expects a parsed JSON body. */
  handler: RequestHandler;
  /** Runs an operation for a page that is being sent, with the checks of one over HTTP. @returns undefined when anything of it fails */
  answer(
    query: string,
    variables: Record<string, unknown>,
    caller: Caller,
  ): Promise<Record<string, unknown> | undefined>;
  stop(): Promise<void>;
}

/** Makes Apollo Server behind Express, with our limits, errors and statuses. */
export async function makeGraphql(options: GraphqlOptions): Promise<GraphqlOverHttp> {
  const { schema, parts, log, production } = options;
  const apollo = new ApolloServer<Context>({
    schema,
    csrfPrevention: true,
    introspection: true,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: production,
    validationRules: [withinLimits],
    parseOptions: { maxTokens: limits.tokens },
    formatError: (_formatted, error) => formatError(error, log),
    logger: { debug() {}, info() {}, warn: (text: string) => log.warn(text), error: (text: string) => log.error(text) },
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      statusOfRetryLater,
      subscriptionsOverSockets,
      checkWholeOperation,
      logRefusedOperations,
      ...(production ? [introspectionForUsers] : []),
    ],
  });
  await apollo.start();
  const handler = expressMiddleware(apollo, {
    context: ({ req, res }) =>
      Promise.resolve(makeContext(parts, options.callerOf(req), { gone: signalOfLeaving(res) })),
  });
  return {
    handler: handler as RequestHandler,
    async answer(query, variables, caller) {
      const contextValue = makeContext(parts, caller);
      const { body } = await apollo.executeOperation({ query, variables }, { contextValue });
      return body.kind === 'single' && !body.singleResult.errors ? (body.singleResult.data ?? undefined) : undefined;
    },
    stop: () => apollo.stop(),
  };
}

/** Aborts when the connection closes before the answer was sent. */
export function signalOfLeaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!response.writableFinished) controller.abort(new AppError('UNAVAILABLE', 'The caller has left.'));
  };
  response.once('close', leave);
  // It may have closed while the session was read.
  if (response.destroyed) leave();
  return controller.signal;
}

/** Sets the status and the Retry-After header of errors that have one; GraphQL itself would answer 200. */
const statusOfRetryLater: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse({ errors, response }) {
        for (const error of errors ?? []) {
          const thrown = thrownError(error);
          const { status, headers } = httpHeadOf(thrown);
          if (headers['Retry-After'] === undefined) continue;
          response.http.status = status;
          response.http.headers = new HeaderMap([...response.http.headers, ...Object.entries(headers)]);
        }
        return Promise.resolve();
      },
    }),
};

const logRefusedOperations: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse({ errors, contextValue, operation }) {
        for (const error of errors ?? [])
          logRefusal(contextValue.parts.security, thrownError(error), contextValue, rootFieldOf(error, operation));
        return Promise.resolve();
      },
    }),
};

/** Refuses a whole operation before it runs. Without a status Apollo would answer 500. */
function refusal(originalError: AppError): GraphQLError {
  // As if a resolver had thrown it: the client asks the user for the password and tries again.
  const status = originalError.code === 'PASSWORD_NEEDED' ? 200 : httpHeadOf(originalError).status;
  return new GraphQLError(originalError.message, { originalError, extensions: { http: { status } } });
}

/** Refuses subscriptions over HTTP with a clear message; execution would fail with an obscure one. */
const subscriptionsOverSockets: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ operation }) {
        if (operation?.operation !== 'subscription') return Promise.resolve();
        throw refusal(new AppError('VALIDATION', 'Subscriptions require a WebSocket with the protocol of graphql-ws.'));
      },
    }),
};

/** Checks the variables and the access to every root field before any of them runs. */
const checkWholeOperation: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ request, document, operation, contextValue }) {
        try {
          refuseLargeVariables(request.variables);
          if (operation) requireAccessTo(document, operation, contextValue.viewer);
        } catch (error) {
          throw error instanceof AppError ? refusal(error) : error;
        }
        return Promise.resolve();
      },
    }),
};

/** This is no validation rule, because validated documents are cached and a rule would see only the first caller. */
const introspectionForUsers: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ document, contextValue }) {
        if (contextValue.viewer || !introspects(document)) return Promise.resolve();
        throw refusal(new AppError('UNAUTHENTICATED', 'Sign in to read the schema.'));
      },
    }),
};

function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    [Kind.FIELD](field) {
      if (field.name.value === '__schema' || field.name.value === '__type') found = true;
    },
  });
  return found;
}
