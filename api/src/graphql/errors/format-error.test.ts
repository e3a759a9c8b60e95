import { buildSchema, GraphQLError, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import { silentLog } from '../../base/log.ts';
import { formatError } from './format-error.ts';

const schema = buildSchema('type Query { answer(n: Int): String }');

/** What a client sees when the resolver throws. */
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
  it('our own errors with all that belongs to them', async () => {
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

  it('nothing of an error outside of any field either', () => {
    const originalError = new Error('connect ECONNREFUSED 10.0.0.1');
    const formatted = formatError(new GraphQLError(originalError.message, { originalError }), silentLog);
    expect(formatted.extensions?.code).toBe('INTERNAL');
    expect(JSON.stringify(formatted)).not.toContain('10.0.0.1');
    expect(formatError(originalError, silentLog).extensions?.code).toBe('INTERNAL');
  });

  it('what is wrong with its own query and values', async () => {
    expect((await seen(null, '{ answer( }'))?.extensions?.code).toBe('MALFORMED');
    expect((await seen(null, '{ question }'))?.extensions?.code).toBe('VALIDATION');
    expect((await seen(null, 'query ($n: Int) { answer(n: $n) }', { n: 'one' }))?.extensions?.code).toBe('VALIDATION');
  });
});
