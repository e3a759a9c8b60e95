import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { Call, JsonSchema } from '../calls/call.ts';
import { compileCall } from '../calls/compiled-call.ts';
import { callTable } from '../calls/table.ts';
import { describeApi } from './describe-api.ts';

interface Media {
  schema: JsonSchema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Answer {
  description: string;
  content?: Record<string, Media>;
}
interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}
interface Description {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema & { examples?: unknown[] }> };
}

const schema = buildSchema(readFileSync(new URL('../../../../schema.graphql', import.meta.url), 'utf8'));
const table = (seedPlans: (() => Promise<void>) | null) =>
  callTable(seedPlans).map((call) => compileCall(schema, call));
const description = describeApi(
  table(async () => {}),
  'http://localhost:4000',
) as unknown as Description;
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(description, 'api');

/** The faults of an example by its schema, which may refer to the components. */
function faultsOf(what: string, schemaOfIt: JsonSchema, example: unknown): string[] {
  const absolute = JSON.parse(JSON.stringify(schemaOfIt).replaceAll('"#/', '"api#/')) as JsonSchema;
  if (example === undefined) return [`${what} has no example`];
  return ajv.validate(absolute, example) ? [] : [`${what}: ${ajv.errorsText()}`];
}

const mediaFaults = (what: string, { schema: inner, example, examples }: Media): string[] =>
  examples
    ? Object.entries(examples).flatMap(([name, { value }]) => faultsOf(`${what} ${name}`, inner, value))
    : faultsOf(what, inner, example);

/** The calls of the specification, written by hand. */
const promised = [
  'GET /api/user',
  'POST /api/login',
  'POST /api/register',
  'POST /api/logout',
  'GET /api/alerts/user',
  'GET /api/alerts/{id}',
  'POST /api/alerts',
  'PATCH /api/alerts/{id}',
  'DELETE /api/alerts/{id}',
  'POST /api/alerts/{id}/notify',
  // The calls for dealers, which the specification does not have.
  'GET /api/alerts/bulk',
  'POST /api/alerts/bulk',
  'PATCH /api/alerts/bulk',
  'GET /api/matches/export',
  'GET /api/listings/export',
  'GET /api/listings/saved/export',
  'GET /api/listings/recent',
  'GET /api/listings',
  'GET /api/listings/{id}/text',
  'PATCH /api/listings/{id}/view',
  'GET /api/subscription/current',
  'GET /api/subscription/can-create-alert',
  'GET /api/subscription/plans',
  'POST /api/subscription',
  'GET /api/subscription/session',
  'POST /api/subscription/verify',
  'POST /api/contact',
  'GET /api/status',
  'PATCH /api/user/profile',
  'POST /api/user/change-password',
  'POST /api/user/confirm-password',
  'GET /api/admin/deletion-requests',
  'PATCH /api/admin/deletion-requests/{requestId}',
  'POST /api/admin/execute-deletion/{userId}',
];
const debug = [
  'GET /api/debug/subscription',
  'GET /api/debug/subscription-plans',
  'GET /api/debug/ensure-subscription-plans',
];

describe('the table', () => {
  it('has exactly the calls of the specification, and the debug calls only outside production', () => {
    expect(operations.map(({ name }) => name).sort()).toEqual([...promised, ...debug].sort());
    const inProduction = callTable(null).map(({ method, path }) => `${method} /api${path}`);
    expect(inProduction.sort()).toEqual([...promised].sort());
  });

  it.each<[string, Partial<Call>]>([
    ['asks for what is not there', { operation: '{ me { horsepower } }' }],
    ['has a path that its operation does not take', { path: '/user/{id}' }],
    ['has a query that its operation does not take', { query: { page: 'page' } }],
    ['is no operation', { operation: 'type Car { id: ID }' }],
    ['renames what it asks for', { operation: '{ me { name: username } }' }],
  ])('refuses a row that %s', (_fault, change) => {
    const [row] = callTable(null);
    if (!row) throw new Error('The table is empty.');
    expect(() => compileCall(schema, row)).not.toThrow();
    expect(() => compileCall(schema, { ...row, ...change })).toThrow();
  });
});

describe('the description', () => {
  it('is valid OpenAPI 3.1, in which references resolve, names are unique and paths declare their parameters', () => {
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(50);
    const known = Object.keys(description.components.schemas);
    expect(references.map(([, name]) => name).filter((name) => !known.includes(name ?? ''))).toEqual([]);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, path, operation } of operations) {
      const inPath = operation.parameters.filter((one) => one.in === 'path').map((one) => [one.name, one.required]);
      expect([name, inPath]).toEqual([name, [...path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => [variable, true])]);
      expect(Object.values(operation.responses).every((answer) => answer.description.length > 0)).toBe(true);
      expect(description.tags.filter((tag) => operation.tags.includes(tag.name))).toHaveLength(1);
    }
    expect(description.tags.every((tag) => tag.description.length > 0)).toBe(true);
    for (const name of known) expect(() => ajv.compile({ $ref: `api#/components/schemas/${name}` })).not.toThrow();
  });

  it('names every body, so that readers and generated clients know it', () => {
    const bodies = operations.flatMap(({ operation }) => Object.values(operation.requestBody?.content ?? {}));
    const names = bodies.map((body) => String(body.schema.$ref).split('/').at(-1));
    expect(names.sort()).toEqual(
      [
        'AlertInput',
        'AlertPatch',
        'ChangePasswordInput',
        'ConfirmPasswordInput',
        'ContactInput',
        'CreateAlertsInput',
        'LoginInput',
        'ProfileInput',
        'RegisterInput',
        'SubscribeInput',
        'UpdateAlertsInput',
        'UpdateDeletionRequestInput',
        'VerifySubscriptionInput',
      ].sort(),
    );
  });

  it('has an example of every request, response and object that is valid for its schema', () => {
    const faults = Object.entries(description.components.schemas).flatMap(([name, component]) =>
      faultsOf(name, component, component.examples?.[0]),
    );
    for (const { name, operation } of operations) {
      for (const { name: of, in: where, schema: inner, example } of operation.parameters) {
        if (where !== 'header') faults.push(...faultsOf(`${name} ${of}`, inner, example));
      }
      for (const media of Object.values(operation.requestBody?.content ?? {})) faults.push(...mediaFaults(name, media));
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (status !== '304') expect([name, status, answer.content]).toEqual([name, status, expect.anything()]);
        for (const media of Object.values(answer.content ?? {}))
          faults.push(...mediaFaults(`${name} ${status}`, media));
      }
    }
    expect(faults).toEqual([]);
  });

  it('the check of examples reports an invalid one', () => {
    expect(faultsOf('User', { $ref: '#/components/schemas/User' }, { id: 'seven' })).toHaveLength(1);
  });
});
