import { readFileSync } from 'node:fs';
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
