import { cookieName, SESSION_COOKIE } from '../../base/cookie-name.ts';
import { type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import type { Call, CsvFile, JsonSchema } from '../calls/call.ts';
import type { CompiledCall, Input } from '../calls/compiled-call.ts';
import { errorCodesOf } from '../calls/table.ts';
import { sendsAllPages } from '../serve/send-pages.ts';
import { addOnce, type Components, schemaFinder } from './answer-schema.ts';
import { answerExample, errorExample, examples } from './examples.ts';
import { bodyOf, parameterSchema } from './input-schema.ts';

/** The introduction of the description, in Markdown. */
const about = `Car alerts, the listings that match them, and the user's account. Requests and responses are JSON.

**Signing in.** \`POST /api/login\` or \`POST /api/register\` sets a session cookie. Send it with every later request; on this page the browser does so.

**API keys.** On the Elite plan a program sends \`Authorization: Bearer lw_live_…\` instead of a cookie. Create keys on \`/settings/api\`, and press Authorize to try one here. \`RateLimit-Remaining\` states how many requests are left in this hour.

**Errors.** Every error has a \`message\` for people and a \`code\` for programs; \`fields\` states what is wrong, by field name. Requests are rate limited: \`Retry-After\` of a 429 states when to continue.

**Caching and paging.** Responses to GET carry an \`ETag\`: send it in \`If-None-Match\` to receive 304 while nothing has changed. \`Cache-Control\` forbids browsers and proxies to store responses; your program may. Long lists are paged: \`Link\` has the address of the next page.

GraphQL at \`/graphql\` offers the same operations, and subscriptions for live updates.`;

const accessWords: Readonly<Record<CompiledCall['access'], string>> = {
  anyone: 'Needs no session.',
  user: 'For signed-in users',
  admin: 'For the admin.',
};

const keyWords: Readonly<Record<CompiledCall['keyAccess'], string>> = {
  read: ', and for API keys.',
  write: ', and for API keys with the scope "write".',
  never: '; not for API keys.',
};

/** States who may call. */
const accessTextOf = ({ access, keyAccess }: CompiledCall): string =>
  accessWords[access] + (access === 'user' ? keyWords[keyAccess] : '');

const tagWords: Readonly<Record<Call['tag'], string>> = {
  Account: 'The signed-in user and their settings',
  Alerts: 'Create, change and delete alerts',
  Listings: 'Cars that match the alerts',
  Subscription: 'Plans and payments',
  Contact: 'Messages to the operators of this LotWatch',
  Status: 'Whether LotWatch works, and how fast it is',
  Admin: 'Deletion requests',
  Debug: 'Checks of the plans, on development machines only',
};

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    message: { type: 'string', description: 'A sentence for people.' },
    code: { type: 'string', enum: Object.keys(httpStatusByCode), description: 'The error code, for programs.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong, by field name.',
    },
    needsUpgrade: { type: 'boolean', description: 'Whether a larger plan would allow it.' },
    incidentId: { type: 'string', description: 'The id of the fault, for support requests.' },
  },
  required: ['message', 'code'],
};

const refTo = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } });
/** Newline-delimited JSON. */
const lines = ({ items }: JsonSchema) => ({
  'application/x-ndjson': { schema: items, example: answerExample(items as JsonSchema) },
});
const csvText = ({ columns }: CsvFile) => ({
  'text/csv': { schema: { type: 'string' }, example: `${columns.map(({ name }) => name).join(',')}\r\n` },
});
/** Whether responses carry an ETag. */
const hasETag = (call: Call) => call.method === 'GET' && !sendsAllPages(call);
const errors = (schema: JsonSchema, codes: readonly ErrorCode[]) => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
  },
});
const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

const countHeader = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example });
/** Headers of responses to API keys. */
const quotaHeaders = {
  'RateLimit-Limit': countHeader('With an API key: the requests that its account may make in an hour.', 5000),
  'RateLimit-Remaining': countHeader('With an API key: how many of them are left.', 4999),
  'RateLimit-Reset': countHeader('With an API key: seconds until the quota is full again.', 3600),
};

/** Describes the calls as OpenAPI 3.1. @param publicUrl where browsers reach the API; without a trailing slash */
export function describeApi(calls: readonly CompiledCall[], publicUrl: string): JsonSchema {
  const components: Components = new Map();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const ready of calls) {
    const path = `/api${ready.call.path}`;
    paths[path] = { ...paths[path], [ready.call.method.toLowerCase()]: describeCall(ready, components) };
  }
  for (const [name, schema] of components) {
    if (examples[name] !== undefined) components.set(name, { ...schema, examples: [examples[name]] });
  }
  components.set('Error', { ...errorSchema, examples: [errorExample('VALIDATION')] });
  return {
    openapi: '3.1.0',
    info: { title: 'LotWatch API', version: '1', description: about },
    servers: [{ url: publicUrl }],
    tags: [...new Set(calls.map(({ call }) => call.tag))].map((name) => ({ name, description: tagWords[name] })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b))),
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(SESSION_COOKIE, publicUrl),
          description: 'Set by POST /api/login.',
        },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the Elite plan, like lw_live_…; create one on /settings/api.',
        },
      },
    },
  };
}

function describeCall(ready: CompiledCall, components: Components): JsonSchema {
  const { call, shape, access, keyAccess } = ready;
  const body = bodyOf(ready);
  if (body) addOnce(components, body.name, body.schema);
  const answer = call.answer.schema(schemaFinder(shape, components));
  const failures = [...Map.groupBy(errorCodesOf(ready), (code) => httpStatusByCode[code])];
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replaceAll(/[^a-z]+([a-z])/gi, (_, next: string) => next.toUpperCase()).replaceAll(/\W/g, '')}`,
    summary: call.summary,
    description: accessTextOf(ready),
    tags: [call.tag],
    security: access === 'anyone' ? [] : [{ session: [] }, ...(keyAccess === 'never' ? [] : [{ key: [] }])],
    parameters: parametersOf(ready),
    ...(body && {
      requestBody: {
        required: body.schema.required !== undefined,
        content: {
          'application/json': { schema: refTo('schemas', body.name), example: (body.schema.examples as unknown[])[0] },
        },
      },
    }),
    responses: {
      [call.status ?? 200]: {
        description: 'Success.',
        headers: headersOf(ready),
        content: call.csv ? csvText(call.csv) : call.lines ? lines(answer) : json(answer, answerExample(answer)),
      },
      ...(hasETag(call) && { 304: { description: 'Not modified since the given ETag.' } }),
      ...Object.fromEntries(failures.map(([status, codes]) => [status, failure(codes)])),
      default: {
        description: 'A server error.',
        content: errors(refTo('schemas', 'Error'), ['INTERNAL', 'UNAVAILABLE']),
      },
    },
  };
}

function failure(codes: readonly ErrorCode[]): JsonSchema {
  const isLater = codes.includes('RATE_LIMITED');
  return {
    description: codes.join(', '),
    ...(isLater && {
      headers: {
        'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' }, example: 60 },
        ...quotaHeaders,
      },
    }),
    content: errors({ allOf: [refTo('schemas', 'Error'), { properties: { code: { enum: codes } } }] }, codes),
  };
}

function parametersOf(ready: CompiledCall): JsonSchema[] {
  const { call } = ready;
  const parameter = (where: 'path' | 'query') => (input: Input) => {
    const { examples: [example] = [], ...schema } = parameterSchema(ready, input) as JsonSchema & {
      examples?: unknown[];
    };
    return {
      name: input.name,
      in: where,
      required: where === 'path' || input.isRequired,
      ...(input.description && { description: input.description }),
      schema,
      example,
      // Several values are separated by commas.
      ...(schema.type === 'array' && { style: 'form', explode: false }),
    };
  };
  const header = (name: string, description: string, schema: JsonSchema) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...schema },
  });
  return [
    ...ready.path.map(parameter('path')),
    ...ready.query.map(parameter('query')),
    ...(hasETag(call) ? [header('If-None-Match', 'The ETag of a response that the caller has stored.', {})] : []),
    ...(call.once
      ? [
          header('Idempotency-Key', 'Repeated requests with one key take effect once, within 24 hours.', {
            pattern: '^[!-~]{1,255}$',
          }),
        ]
      : []),
  ];
}

function headersOf({ call, keyAccess }: CompiledCall): JsonSchema {
  return {
    ...(keyAccess !== 'never' && quotaHeaders),
    ...(hasETag(call) && { ETag: textHeader('Identifies this version of the response.') }),
    ...(call.next &&
      !sendsAllPages(call) && { Link: textHeader('The address of the next page, as rel="next", if there is one.') }),
    ...(call.once && { 'Idempotency-Replayed': textHeader('"true" if the response is that of an earlier request.') }),
  };
}
