import { type ObjectSchema, object, type StringSchema } from 'yup';
import { generic, ifShort, isOneLine, text, tooLong } from '../fields.ts';
import { PRIVATE_NETWORK, type SourceField } from './source-field.ts';
import { type FormKind, fieldsOfKind } from './source-fields.ts';
import { jsonObject, jsonObjectFault, pairsFault, pairsObject, pairsText } from './typed-objects.ts';

const ADDRESS_MAX = 2_000;
const LINE_MAX = 500;
const TEXT_MAX = 20_000;

/** What a source is called; it identifies the source's listings for ever. */
export const sourceName = /^[a-z0-9-]{1,40}$/;

const nameRefused = 'Use 1 to 40 of a–z, 0–9 and -';
const addressRefused = 'Enter an address that begins with https:// or http://';
const notBoth = 'Fill in both fields or neither';

const isAddress = (value: string): boolean => /^https?:\/\/[^\s/]/i.test(value) && URL.canParse(value);

/** A text of several lines. @param fault what is wrong with it, in a sentence */
const lines = (label: string, fault: (value: string) => string | null) =>
  text()
    .trim()
    .max(TEXT_MAX, tooLong(label, TEXT_MAX))
    .test('lines', (value, context) => {
      const message = !value || value.length > TEXT_MAX ? null : fault(value);
      return message === null || context.createError({ message });
    });

/** The values of a source's form. Each is a text as it was typed; a secret is empty where the stored one is to be kept. */
export type SourceValues = { name: string } & Record<string, string>;

interface SourceFormOptions {
  /** The names of the secrets that are stored, which may stay empty. */
  stored?: ReadonlySet<string>;
}

function rulesOf(field: SourceField): StringSchema<string | undefined> {
  const { label, control, choices, placeholder = '', min = 0, max = 1_000_000_000 } = field;
  const line = (length: number) =>
    text()
      .trim()
      .max(length, tooLong(label, length))
      .test('line', `${label} must be one line of text`, ifShort(length, isOneLine));
  switch (control) {
    case 'address':
      return line(ADDRESS_MAX).test('address', addressRefused, ifShort(ADDRESS_MAX, isAddress));
    case 'number': {
      const range = `Enter a number from ${min} to ${max}`;
      const isInRange = (value: string) => /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
      return text().trim().max(20, range).test('number', range, ifShort(20, isInRange));
    }
    case 'choice':
      return text().oneOf(['', ...(choices ?? []).map(({ value }) => value)], generic.invalid);
    case 'switch':
      return text().oneOf(['', 'on'], generic.invalid);
    case 'json':
      return lines(label, jsonObjectFault);
    case 'pairs':
      return lines(label, (value) => pairsFault(value, placeholder.split('\n')[0] ?? ''));
    case 'lines':
      return lines(label, () => null);
    default:
      return line(LINE_MAX);
  }
}

function ruleOf(field: SourceField, stored: ReadonlySet<string>): StringSchema<string | undefined> {
  const { name, label, required, with: partner } = field;
  const rules = rulesOf(field);
  if (stored.has(name)) return rules;
  if (required) return rules.required(`${label} is required`);
  if (!partner) return rules;
  const isSet = (value: unknown) => typeof value === 'string' && value.trim() !== '';
  return rules.test('with', notBoth, (value, { parent }) => {
    if (stored.has(partner)) return true;
    return isSet(value) || !isSet(parent[partner]);
  });
}

/** The form of a source of a kind. The server also tries whether its address may be reached. */
export function sourceSchema(
  kind: FormKind,
  { stored = new Set() }: SourceFormOptions = {},
): ObjectSchema<{
  name: string;
}> {
  const rules = fieldsOfKind(kind).map((field) => [field.name, ruleOf(field, stored)]);
  return object({
    name: text()
      .trim()
      .required('Please give the source a name')
      .max(40, nameRefused)
      .test(
        'name',
        nameRefused,
        ifShort(40, (value) => sourceName.test(value)),
      ),
    ...Object.fromEntries(rules),
  }) as ObjectSchema<{ name: string }>;
}

/** What the form of a new source starts with. */
export function newSourceValues(kind: FormKind): SourceValues {
  const values = fieldsOfKind(kind).map(({ name, initial = '' }) => [name, initial]);
  return { name: '', ...Object.fromEntries(values) };
}

type Settings = Record<string, unknown>;

function typed({ control }: SourceField, value: string): unknown {
  if (control === 'number') return Number(value);
  if (control === 'switch') return value === 'on';
  if (control === 'json') return jsonObject(value);
  if (control === 'pairs') return pairsObject(value);
  if (control === 'lines') return value.split(/\r?\n/).flatMap((line) => line.trim() || []);
  return value;
}

function asText({ control }: SourceField, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (control === 'switch') return value === true ? 'on' : '';
  if (control === 'json') return JSON.stringify(value, null, 2);
  if (control === 'pairs' && typeof value === 'object') return pairsText(value);
  if (control === 'lines' && Array.isArray(value)) return value.join('\n');
  return String(value);
}

/** Converts valid values of the form to settings as an entry of SOURCES_FILE has them, without name and kind. */
export function settingsOfValues(kind: FormKind, values: Readonly<Record<string, string | undefined>>): Settings {
  const settings: Settings = {};
  for (const field of fieldsOfKind(kind)) {
    const value = values[field.name]?.trim();
    if (!value) continue;
    const path = field.path.split('.');
    const last = path.pop() ?? '';
    let level = settings;
    for (const step of path) {
      level[step] ??= {};
      level = level[step] as Settings;
    }
    level[last] = typed(field, value);
  }
  return settings;
}

/** Converts settings to values of the form; secrets stay empty. */
export function valuesOfSettings(kind: FormKind, name: string, settings: Settings): SourceValues {
  const values: SourceValues = { name };
  for (const field of fieldsOfKind(kind)) {
    let value: unknown = settings;
    for (const step of field.path.split('.')) value = (value as Settings | null | undefined)?.[step];
    values[field.name] = field.secret ? '' : asText(field, value);
  }
  return values;
}

/** The name of the form's field for a setting, such as `headerName` for `header.name`; undefined if it has none. */
export const fieldOfPath = (kind: FormKind, path: string): string | undefined =>
  fieldsOfKind(kind).find((field) => path === field.path || path.startsWith(`${field.path}.`))?.name;

/** Whether a field is offered; the private network only where the operator allows it. */
export const isOffered = ({ name }: SourceField, allowsPrivateNetwork: boolean): boolean =>
  name !== PRIVATE_NETWORK || allowsPrivateNetwork;
