import { type ErrorCode, httpStatusByCode } from '../../base/errors.ts';
import type { JsonSchema } from '../calls/answers.ts';
import type { Input, ReadyCall } from '../calls/ready-call.ts';
import { failuresOf } from '../calls/table.ts';
import { type Components, schemaFinder } from './answer-schema.ts';
import { examples } from './examples.ts';
import { bodyExample, bodySchema, parameterSchema } from './input-schema.ts';

const ABOUT = `Car alerts, the listings that match them, and the account around them.

Send and take JSON. Sign in with \`POST /api/login\`: the session lives in a cookie. Every error has a \`message\` to show and a \`code\` to act on; \`fields\` names what is wrong by field. Lists carry an ETag: ask again with \`If-None-Match\` and get 304 while nothing has changed. Everything here is in GraphQL too, at \`/graphql\`, and live there.`;

const errorSchema: JsonSchema = {
  type: 'object',
  description: 'What went wrong.',
  properties: {
    message: { type: 'string', description: 'A sentence to show.' },
    code: { type: 'string', enum: Object.keys(httpStatusByCode), description: 'What to act on.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What is wrong, by the name of the field.',
    },
    needsUpgrade: { type: 'boolean', description: 'Whether a larger plan would help.' },
    incidentId: { type: 'string', description: 'To name when asking for help.' },
  },
  required: ['message', 'code'],
};

const refTo = (kind: string, name: string): JsonSchema => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: JsonSchema, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

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
  components.set('Error', { ...errorSchema, examples: [examples.Error] });
  return {
    openapi: '3.1.0',
    info: { title: 'LotWatch', version: '1', description: ABOUT },
    servers: [{ url: publicUrl }],
    tags: [...new Set(calls.map(({ call }) => call.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b))),
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'lotwatch_session', description: 'Set by POST /api/login.' },
      },
    },
  };
}

function describeCall(ready: ReadyCall, components: Components): JsonSchema {
  const { call, shape } = ready;
  const body = bodySchema(ready);
  const answer = call.answer.schema(schemaFinder(shape, components));
  const failures = [...Map.groupBy(failuresOf(call, body !== null), (code) => httpStatusByCode[code])];
  return {
    operationId: `${call.method.toLowerCase()}${call.path.replaceAll(/[^a-z]+([a-z])/gi, (_, next: string) => next.toUpperCase()).replaceAll(/\W/g, '')}`,
    summary: call.summary,
    tags: [call.tag],
    security: call.access === 'anyone' ? [] : [{ session: [] }],
    parameters: parametersOf(ready),
    ...(body && {
      requestBody: {
        required: body.required !== undefined,
        content: json(body, bodyExample(ready)),
      },
    }),
    responses: {
      [call.status ?? 200]: {
        description: 'Done.',
        headers: headersOf(ready),
        content: json(answer, exampleOf(answer)),
      },
      ...(call.method === 'GET' && { 304: { description: 'Nothing has changed since the ETag that was sent.' } }),
      ...Object.fromEntries(failures.map(([status, codes]) => [status, failure(codes)])),
      default: { description: 'A fault of the server.', content: json(refTo('schemas', 'Error')) },
    },
  };
}

function failure(codes: readonly ErrorCode[]): JsonSchema {
  const isLater = codes.includes('RATE_LIMITED');
  return {
    description: codes.join(', '),
    ...(isLater && { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } }),
    content: json({ allOf: [refTo('schemas', 'Error'), { properties: { code: { enum: codes } } }] }),
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
    ...(call.method === 'GET' ? [header('If-None-Match', 'The ETag of an answer that is known.', {})] : []),
    ...(call.once
      ? [
          header('Idempotency-Key', 'Equal calls under one key happen once, within 24 hours.', {
            pattern: '^[!-~]{1,255}$',
          }),
        ]
      : []),
  ];
}

function headersOf({ call }: ReadyCall): JsonSchema {
  return {
    ...(call.method === 'GET' && { ETag: textHeader('Names this state of the answer.') }),
    ...(call.next && { Link: textHeader('Where there are older ones: their address, as rel="next".') }),
    ...(call.once && { 'Idempotency-Replayed': textHeader('"true" where the answer is that of an earlier call.') }),
  };
}

/** An example of an answer that is one known object, or a list of them. */
function exampleOf(schema: JsonSchema): unknown {
  if (typeof schema.$ref === 'string') return examples[schema.$ref.split('/').at(-1) ?? ''];
  if (schema.type !== 'array') return undefined;
  const item = exampleOf(schema.items as JsonSchema);
  return item === undefined ? undefined : [item];
}
