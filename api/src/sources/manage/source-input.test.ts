import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  sourceSchema as formOf,
  newSourceValues,
  settingsOfValues,
  valuesOfSettings,
} from '../../domain/forms/sources/source.ts';
import type { SourceField } from '../../domain/forms/sources/source-field.ts';
import { fieldsOfKind, isFormKind, sourceFields } from '../../domain/forms/sources/source-fields.ts';
import { sourcePresets } from '../../domain/forms/sources/source-presets.ts';
import { jsonObjectFault } from '../../domain/forms/sources/typed-objects.ts';
import { validateForm } from '../../domain/validate-form.ts';
import { kindNames, kindOf, sourceSchema } from '../kinds/source-kinds.ts';

const formKinds = kindNames.filter(isFormKind);

/** A fitting value for a field. */
function valueFor({ control, initial, placeholder, min = 1, choices }: SourceField): string {
  if (control === 'switch') return 'on';
  if (control === 'number') return initial ?? String(min);
  if (control === 'address') return placeholder ?? initial ?? 'https://dealer.example/';
  if (control === 'choice') return initial ?? choices?.[0]?.value ?? '';
  return placeholder || (control === 'json' ? '{}' : 'x');
}

it('every kind that is read has a form', () => {
  expect(formKinds).toEqual(kindNames);
  expect(Object.keys(sourceFields).sort()).toEqual(kindNames.toSorted());
});

describe.each(formKinds)('the form of %s', (kind) => {
  const fields = fieldsOfKind(kind);
  const whole: Record<string, string> = {
    ...Object.fromEntries(fields.map((field) => [field.name, valueFor(field)])),
    name: 'my-lot',
  };

  it('has the secrets of the kind', () => {
    expect(fields.flatMap(({ path, secret }) => (secret ? path : [])).sort()).toEqual(kindOf(kind).secrets.toSorted());
  });

  it('makes settings that the kind accepts, and reads them back', () => {
    expect(validateForm(formOf(kind), whole).faults).toEqual({});
    const settings = settingsOfValues(kind, whole);
    const parsed = sourceSchema.parse({ ...settings, name: 'my-lot', kind });
    const shown = valuesOfSettings(kind, 'my-lot', parsed);
    const secrets = fields.filter(({ secret }) => secret).map(({ name }) => name);
    expect(secrets.map((name) => shown[name])).toEqual(secrets.map(() => ''));
    const typed = Object.fromEntries(secrets.map((name) => [name, whole[name]]));
    const again = settingsOfValues(kind, { ...shown, ...typed });
    expect(sourceSchema.parse({ ...again, name: 'my-lot', kind })).toEqual(parsed);
  });

  it('accepts a new source with its required fields alone', () => {
    const required = fields.flatMap((field) => (field.required ? [[field.name, valueFor(field)]] : []));
    const values = { ...newSourceValues(kind), ...Object.fromEntries(required), name: 'my-lot' };
    expect(validateForm(formOf(kind), values).faults).toEqual({});
    expect(sourceSchema.safeParse({ ...settingsOfValues(kind, values), name: 'my-lot', kind }).success).toBe(true);
  });

  it('refuses what is huge or of another type', () => {
    for (const { name, control } of fields) {
      const isHugeRefused = validateForm(formOf(kind), { ...whole, [name]: 'x'.repeat(100_000) }).faults[name];
      expect([name, control, isHugeRefused]).toEqual([name, control, expect.any(String)]);
      expect(Object.keys(validateForm(formOf(kind), { ...whole, [name]: { a: 1 } }).faults)).toContain(name);
    }
  });
});

describe('what is typed on a phone', () => {
  const feed = (stores: string) => ({ url: 'https://dealer.example/g.xml', stores, name: 'lots' });
  const api = (fields: string) => ({ url: 'https://api.example/cars', items: 'cars', fields, name: 'api' });
  const faultOf = (kind: 'google-vehicle-feed' | 'json-feed', values: Record<string, string>) =>
    Object.values(validateForm(formOf(kind), values).faults);

  it('places are a line for each store', () => {
    const typed = 'AUSTIN-01 = Austin, TX\n\n  A=B = 75201 \r\n__proto__=Boise, ID\n* = Reno, NV';
    expect(faultOf('google-vehicle-feed', feed(typed))).toEqual([]);
    const settings = settingsOfValues('google-vehicle-feed', feed(typed));
    expect(Object.entries(settings.stores as object)).toEqual([
      ['AUSTIN-01', 'Austin, TX'],
      ['A=B', '75201'],
      ['__proto__', 'Boise, ID'],
      ['*', 'Reno, NV'],
    ]);
    expect(valuesOfSettings('google-vehicle-feed', 'lots', settings).stores).toBe(
      'AUSTIN-01 = Austin, TX\nA=B = 75201\n__proto__ = Boise, ID\n* = Reno, NV',
    );
  });

  it.each([
    ['A = Austin, TX\nDallas', 'Line 2 must be like AUSTIN-01 = Austin, TX'],
    ['A =', 'Line 1 must be like AUSTIN-01 = Austin, TX'],
    ['A = Austin, TX\n\nA = Reno, NV', 'Line 3: A is there twice'],
  ])('%j names the line', (typed, fault) => {
    expect(faultOf('google-vehicle-feed', feed(typed))).toEqual([fault]);
  });

  it('typographic quotes are straightened, but not within a text', () => {
    const fields = (typed: string) => settingsOfValues('json-feed', api(typed)).fields;
    for (const typed of ['{“id”: “ref”,\u00a0“title”: “name”}', '{„id“: „ref“, «title»: "name"}']) {
      expect(faultOf('json-feed', api(typed))).toEqual([]);
      expect(fields(typed)).toEqual({ id: 'ref', title: 'name' });
    }
    const within = '{"id": "ref", "title": "the “name”"}';
    expect(faultOf('json-feed', api(within))).toEqual([]);
    expect(fields(within)).toEqual({ id: 'ref', title: 'the “name”' });
    const mixed = '{"id": "ref", "title": "the “name”" "make"}';
    expect(faultOf('json-feed', api(mixed))).toEqual(['Line 1: a comma or } is missing before "make"}']);
  });

  it.each([
    ['ref', 'Line 1: the first { is missing before ref'],
    ['["id"]', 'Line 1: the first { is missing before ["id"]'],
    ['{\n "id": "ref"\n "title": "name" }', 'Line 3: a comma or } is missing before "title": "name" }'],
    ['{ "id": "ref", }', 'Line 1: a name in "quotes" is missing before }'],
    ['{ id: "ref" }', 'Line 1: a name in "quotes" is missing before id: "ref" }'],
    ['{ "id" "ref" }', 'Line 1: a colon is missing before "ref" }'],
    ['{ "id": ref }', 'Line 1: a value in "quotes", a number, { or [ is missing before ref }'],
    ['{ "id": ["ref" "vin"] }', 'Line 1: a comma or ] is missing before "vin"] }'],
    ['{ "id": "ref"', 'Line 1: a comma or } is missing at the end'],
    ['{ "id": "ref" } }', 'Line 1: the object has ended before }'],
    [`{"a":${'['.repeat(9000)}`, `Line 1: the nesting is too deep before ${'['.repeat(20)}`],
  ])('%j names the place of the fault', (typed, fault) => {
    expect(faultOf('json-feed', api(typed))).toEqual([fault]);
  });

  it('finds a fault exactly where JSON.parse does', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\n',
      ' ',
      '\n',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'nul',
    );
    const text = fc.oneof(
      fc.json(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    const isObject = (typed: string) => {
      try {
        const value: unknown = JSON.parse(typed);
        return typeof value === 'object' && value !== null && !Array.isArray(value);
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(text, (typed) => {
        expect([typed, jsonObjectFault(typed) === null]).toEqual([typed, isObject(typed)]);
      }),
      { numRuns: 2000 },
    );
  });
});

it.each(Object.entries(sourcePresets))('the form for %s starts with its example file', (file, { kind, values }) => {
  const url = new URL(`../../../docs/examples/sources/${file}.json`, import.meta.url);
  const [{ name, ...example }] = JSON.parse(readFileSync(url, 'utf8'));
  const secrets = fieldsOfKind(kind).filter(({ secret, with: partner = '' }) => secret && partner in values);
  const key = secrets.map(({ name: field }) => [field, 'YOUR-KEY']);
  const settings = settingsOfValues(kind, { ...newSourceValues(kind), ...values, ...Object.fromEntries(key) });
  expect(sourceSchema.parse({ ...settings, name, kind })).toEqual(
    sourceSchema.parse(
      JSON.parse(
        JSON.stringify({ name, ...example }).replace(
          /(?:Bearer )?YOUR-(?:APIFY-TOKEN|\w+-KEY|AUTO-DEV-KEY)/,
          'YOUR-KEY',
        ),
      ),
    ),
  );
});
