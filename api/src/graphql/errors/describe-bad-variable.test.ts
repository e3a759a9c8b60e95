import { buildSchema, graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { formatError } from './format-error.ts';

const schema = buildSchema(`
  input Car { make: String!  radius: Int!  priceMax: Int  password: String  tags: [Int!] }
  type Query { answer(car: Car!, id: ID, username: String): String }
`);

async function seen(car: unknown, more: Record<string, unknown> = {}) {
  const source =
    'query ($input: Car!, $id: ID, $username: String!) { answer(car: $input, id: $id, username: $username) }';
  const variableValues = { input: car, username: 'ada', ...more };
  const { errors } = await graphql({ schema, source, variableValues });
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
  ])('%j is told by its field and not repeated', async (car, field, text) => {
    const [error] = await seen(car);
    expect(error?.extensions).toEqual({ message: text, code: 'VALIDATION', fields: { [field]: text } });
    expect(error?.message).toEqual(text);
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('names the variable itself', async () => {
    expect((await seen(good, { id: {} }))[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      fields: { id: expect.any(String) },
    });
    for (const username of [null, undefined]) {
      const [error] = await seen(good, { username });
      expect(error?.extensions).toMatchObject({ code: 'VALIDATION', fields: { username: 'Username is required' } });
    }
  });

  it('names every field that is wrong', async () => {
    const errors = await seen({ password: 1 });
    const fields = errors.flatMap(({ extensions }) => Object.keys(extensions?.fields ?? {}));
    expect(fields.sort()).toEqual(['make', 'password', 'radius']);
  });
});
