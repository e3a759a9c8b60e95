import { cookieName } from '../../base/cookie-name.ts';
import { type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import type { Call, JsonSchema } from '../calls/call.ts';
import type { Input, ReadyCall } from '../calls/ready-call.ts';
import { failuresOf } from '../calls/table.ts';
import { addOnce, type Components, schemaFinder } from './answer-schema.ts';
import { answerExample, errorExample, examples } from './examples.ts';
import { bodyOf, parameterSchema } from './input-schema.ts';

/** The first thing that is read of the API. Markdown. */
const about = `Car alerts, the listings that match them, and the account around them. Send and take JSON.

**Signing in.** \`POST /api/login\` or \`POST /api/register\` answers with a cookie, which goes with every call from then on; on this page the browser does that by itself.

**With a key.** On the Elite plan a program sends \`Authorization: Bearer lw_live_…\` instead, and no cookie; make keys on \`/settings/api\`, and press Authorize to try one here. \`RateLimit-Remaining\` says how many of the hour's requests are left.

**Errors.** Every error has a \`message\` to show and a \`code\` to act on; \`fields\` says what is wrong by the name of the field. Calls are counted: 429 says in \`Retry-After\` when to go on.

**Reading again.** Answers to GET carry an \`ETag\`: send it in \`If-None-Match\` and get 304 while nothing has changed. Browsers and caches are told to keep nothing; what your program keeps is up to it. Long lists come in pages: \`Link\` has the address of the next.

Everything here is in GraphQL too, at \`/graphql\`, and live there.`;

const accessWords: Readonly<Record<ReadyCall['access'], string>> = {
  anyone: 'Needs no session.',
  user: 'For signed-in users',
  admin: 'For the admin.',
};

const keyWords: Readonly<Record<ReadyCall['keyAccess'], string>> = {
  read: ', and for API keys.',
  write: ', and for API keys with the scope "write".',
  never: '; not for API keys.',
};

/** Who may call. */
const accessTextOf = ({ access, keyAccess }: ReadyCall): string =>
  accessWords[access] + (access === 'user' ? keyWords[keyAccess] : '');

const tagWords: Readonly<Record<Call['tag'], string>> = {
  Account: 'Who is signed in, and where alerts go',
  Alerts: 'What a user waits for',
  Listings: 'The cars that matched',
  Subscription: 'Plans, and how many alerts they hold',
  Contact: 'A word to those who run this LotWatch',
  Admin: 'What is decided about people’s data',
  Debug: 'Whether plans are in order; among the development pages only',
};

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong.',
  properties: {
    message: { type: 'string', description: 'A sentence for people.' },
    code: { type: 'string', enum: Object.keys(httpStatusByCode), description: 'The error code, for programs.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong, by field name.',
    },
    needsUpgrade: { type: 'boolean', description: 'Whether a larger plan would allow it.' },
    incidentId: { type: 'string', description: 'To name when asking for help.' },
  },
  required: ['message', 'code'],
};

const refTo = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: JsonSchema, example: unknown) => ({ 'application/json': { schema, example } });
/** One JSON text a line. */
const lines = ({ items }: JsonSchema) => ({
  'application/x-ndjson': { schema: items, example: answerExample(items as JsonSchema) },
});
/** Whether there is an ETag to ask again with. */
const isKeptByCallers = ({ method, lines }: Call) => method === 'GET' && !lines;
const errors = (schema: JsonSchema, codes: readonly ErrorCode[]) => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
  },
});
const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

const countHeader = (description: string, example: number) => ({ description, schema: { type: 'integer' }, example });
/** What whoever calls with a key is told. */
const quotaHeaders = {
  'RateLimit-Limit': countHeader('With a key: requests of its account in an hour.', 5000),
  'RateLimit-Remaining': countHeader('With a key: how many of them are left.', 4999),
  'RateLimit-Reset': countHeader('With a key: seconds until all are there again.', 3600),
};

/** OpenAPI 3.1 of the calls. @param publicUrl where browsers reach the API; without a trailing slash */
export function describeApi(calls: readonly ReadyCall[], publicUrl: string): JsonSchema {
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
          name: cookieName('lotwatch_session', publicUrl),
          description: 'Set by POST /api/login.',
        },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the Elite plan, like lw_live_…; made on /settings/api.',
        },
      },
    },
  };
}

function describeCall(ready: ReadyCall, components: Components): JsonSchema {
  const { call, shape, access, keyAccess } = ready;
  const body = bodyOf(ready);
  if (body) addOnce(components, body.name, body.schema);
  const answer = call.answer.schema(schemaFinder(shape, components));
  const failures = [...Map.groupBy(failuresOf(ready), (code) => httpStatusByCode[code])];
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
        description: 'Done.',
        headers: headersOf(ready),
        content: call.lines ? lines(answer) : json(answer, answerExample(answer)),
      },
      ...(isKeptByCallers(call) && { 304: { description: 'Nothing has changed since the ETag that was sent.' } }),
      ...Object.fromEntries(failures.map(([status, codes]) => [status, failure(codes)])),
      default: {
        description: 'A fault of the server.',
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

function parametersOf(ready: ReadyCall): JsonSchema[] {
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
      // Several stand with commas between.
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
    ...(isKeptByCallers(call) ? [header('If-None-Match', 'The ETag of an answer that is known.', {})] : []),
    ...(call.once
      ? [
          header('Idempotency-Key', 'Equal calls under one key happen once, within 24 hours.', {
            pattern: '^[!-~]{1,255}$',
          }),
        ]
      : []),
  ];
}

function headersOf({ call, keyAccess }: ReadyCall): JsonSchema {
  return {
    ...(keyAccess !== 'never' && quotaHeaders),
    ...(isKeptByCallers(call) && { ETag: textHeader('Names this state of the answer.') }),
    ...(call.next && !call.lines && { Link: textHeader('Where there are older ones: their address, as rel="next".') }),
    ...(call.once && { 'Idempotency-Replayed': textHeader('"true" where the answer is that of an earlier call.') }),
  };
}
