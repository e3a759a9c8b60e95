import { buildSchema, GraphQLError, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import { formatError } from './format-error.ts';

const schema = buildSchema('type Query { answer(n: Int): String }');

/** The error that a client receives when the resolver throws. */
async function seen(thrown: unknown, query = '{ answer }', variableValues = {}) {
  const rootValue = {
    answer() {
      throw thrown;
    },
  };
  const { errors } = await graphql({ schema, source: query, rootValue, variableValues });
  return errors?.map((error) => formatError(error, silentLog))[0];
}

describe('a client sees', () => {
  it('our own errors with all their fields', async () => {
    const error = new AppError('PLAN_LIMIT', 'Too many', { needsUpgrade: true, fields: { make: 'no' } });
    expect(await seen(error)).toEqual({
      message: 'Too many',
      path: ['answer'],
      locations: [{ line: 1, column: 3 }],
      extensions: { message: 'Too many', code: 'PLAN_LIMIT', needsUpgrade: true, fields: { make: 'no' } },
    });
  });

  it.each([new Error('password=hunter2'), new TypeError('x is undefined'), 'a text', undefined])(
    'nothing of any other error: %s',
    async (thrown) => {
      const formatted = await seen(thrown);
      expect(formatted?.extensions).toMatchObject({ code: 'INTERNAL', incidentId: expect.any(String) });
      expect(JSON.stringify(formatted)).not.toMatch(/hunter2|undefined/);
    },
  );

  it('nothing of an unknown error that was thrown outside of any field', () => {
    const originalError = new Error('connect ECONNREFUSED 10.0.0.1');
    const formatted = formatError(new GraphQLError(originalError.message, { originalError }), silentLog);
    expect(formatted.extensions?.code).toBe('INTERNAL');
    expect(JSON.stringify(formatted)).not.toContain('10.0.0.1');
    expect(formatError(originalError, silentLog).extensions?.code).toBe('INTERNAL');
  });

  it('the faults of its own query and values', async () => {
    expect((await seen(null, '{ answer( }'))?.extensions?.code).toBe('MALFORMED');
    expect((await seen(null, '{ question }'))?.extensions?.code).toBe('VALIDATION');
    expect((await seen(null, 'query ($n: Int) { answer(n: $n) }', { n: 'one' }))?.extensions?.code).toBe('VALIDATION');
  });
});

const carSchema = buildSchema(`
  input Car { make: String!  radius: Int!  priceMax: Int  password: String  tags: [Int!] }
  type Query { answer(car: Car!, id: ID, username: String): String }
`);

async function errorsOf(car: unknown, more: Record<string, unknown> = {}) {
  const source =
    'query ($input: Car!, $id: ID, $username: String!) { answer(car: $input, id: $id, username: $username) }';
  const variableValues = { input: car, username: 'ada', ...more };
  const { errors } = await graphql({ schema: carSchema, source, variableValues });
  return errors?.map((error) => formatError(error, silentLog)) ?? [];
}

const good = { make: 'toyota', radius: 5, password: 'hunter2' };

describe('a value that does not fit its variable', () => {
  it.each([
    [{ ...good, make: null }, 'make', 'Car make is required'],
    [{ radius: 5, password: 'hunter2' }, 'make', 'Car make is required'],
    [{ ...good, radius: '' }, 'radius', 'Distance radius is required'],
    [{ ...good, radius: '50; or' }, 'radius', 'Int cannot represent non-integer value.'],
    [{ ...good, priceMax: 1.5 }, 'priceMax', 'Int cannot represent non-integer value.'],
    [{ ...good, priceMax: 1e12 }, 'priceMax', 'Int cannot represent non 32-bit signed integer value.'],
    [{ ...good, make: { password: 'hunter2' } }, 'make', 'String cannot represent a non string value.'],
    [{ ...good, planId: 4 }, 'planId', expect.stringContaining('"planId" is not defined by type "Car"')],
    [{ ...good, tags: [1, 'hunter2'] }, 'tags', 'Int cannot represent non-integer value.'],
    ['hunter2', 'input', 'Expected type "Car" to be an object.'],
  ])('%j is reported by its field, and its value is not repeated', async (car, field, text) => {
    const [error] = await errorsOf(car);
    expect(error?.extensions).toEqual({ message: text, code: 'VALIDATION', fields: { [field]: text } });
    expect(error?.message).toEqual(text);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('names the variable where the value as a whole is wrong', async () => {
    expect((await errorsOf(good, { id: {} }))[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      fields: { id: expect.any(String) },
    });
    for (const username of [null, undefined]) {
      const [error] = await errorsOf(good, { username });
      expect(error?.extensions).toMatchObject({ code: 'VALIDATION', fields: { username: 'Username is required' } });
    }
  });

  it('names every field that is wrong', async () => {
    const errors = await errorsOf({ password: 1 });
    const fields = errors.flatMap(({ extensions }) => Object.keys(extensions?.fields ?? {}));
    expect(fields.sort()).toEqual(['make', 'password', 'radius']);
  });
});
