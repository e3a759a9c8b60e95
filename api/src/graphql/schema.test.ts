import { readFileSync } from 'node:fs';
import {
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  printSchema,
  validate,
} from 'graphql';
import { expect, it } from 'vitest';
import { kindNames } from '../sources/kinds/source-kinds.ts';
import { withinLimits } from './limits.ts';
import { makeSchema } from './make-schema.ts';

const schema = makeSchema();

it('is the committed schema.graphql', () => {
  const committed = readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8');
  expect(committed).toBe(`${printSchema(lexicographicSortSchema(schema))}\n`);
});

it('names every kind of source where it describes one', () => {
  const health = schema.getType('SourceHealth');
  const { description } = (isObjectType(health) && health.getFields().kind) || {};
  for (const kind of [...kindNames, 'push']) expect(description).toContain(`"${kind}"`);
});

it('describes every type, field, argument and enum value', () => {
  const missing: string[] = [];
  const look = (name: string, { description }: { description?: string | null }) => {
    if (!description?.trim()) missing.push(name);
  };
  const roots = new Set<unknown>([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (!roots.has(type)) look(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
    }
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      look(`${type.name}.${field.name}`, field);
      for (const argument of field.args) look(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  expect(missing).toEqual([]);
});

it('lets the playground introspect within the limits', () => {
  const query = getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true });
  expect(validate(schema, parse(query), [withinLimits])).toEqual([]);
});
