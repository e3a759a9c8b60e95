import type { IncomingMessage } from 'node:http';
import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { expressMiddleware } from '@as-integrations/express5';
import type { RequestHandler } from 'express';
import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, visit } from 'graphql';
import { noteRefusal } from '../accounts/note-refusal.ts';
import type { Caller } from '../accounts/signed-in.ts';
import { httpHeadOf } from '../base/describe-error.ts';
import { AppError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { type ApiParts, type Context, makeContext } from './context.ts';
import { formatError, rootOf, thrownError } from './errors/format-error.ts';
import { limits, withinLimits } from './limits.ts';
import { requireAccessTo } from './operation-access.ts';
import { refuseLargeVariables } from './variables-size.ts';

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
  stop(): Promise<void>;
}

/** Apollo Server behind Express, with our limits, errors and statuses. */
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
      statusOfLater,
      subscriptionsOverSockets,
      wholeOperations,
      refusalsToLog,
      ...(production ? [introspectionForUsers] : []),
    ],
  });
  await apollo.start();
  const handler = expressMiddleware(apollo, {
    context: ({ req }) => Promise.resolve(makeContext(parts, options.callerOf(req))),
  });
  return { handler: handler as RequestHandler, stop: () => apollo.stop() };
}

/** Whoever should come again later gets the status and header for it, though GraphQL itself would answer 200. */
const statusOfLater: ApolloServerPlugin<Context> = {
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

const refusalsToLog: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse({ errors, contextValue, operation }) {
        for (const error of errors ?? [])
          noteRefusal(contextValue.parts.security, thrownError(error), contextValue, rootOf(error, operation));
        return Promise.resolve();
      },
    }),
};

/** Of a whole operation, before it runs: without a status of its own Apollo would answer 500. */
function refusal(originalError: AppError): GraphQLError {
  // A question to whoever is signed in, as resolvers ask it, and no fault of the call.
  const status = originalError.code === 'PASSWORD_NEEDED' ? 200 : httpHeadOf(originalError).status;
  return new GraphQLError(originalError.message, { originalError, extensions: { http: { status } } });
}

/** Executed like a query, a subscription would fail somewhere inside. */
const subscriptionsOverSockets: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation({ operation }) {
        if (operation?.operation !== 'subscription') return Promise.resolve();
        throw refusal(new AppError('VALIDATION', 'Subscriptions go over a WebSocket, with graphql-ws.'));
      },
    }),
};

/** Nothing of an operation is done whose variables are too large, that a key is not taken for, or that asks for the password in any part. */
const wholeOperations: ApolloServerPlugin<Context> = {
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

/** Runs for every operation: validated documents are cached, so a validation rule would only see the first caller. */
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
