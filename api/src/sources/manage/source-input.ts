import type { Encryption } from '../../base/encryption.ts';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import {
  fieldOfPath,
  sourceSchema as formOf,
  settingsOfValues,
  valuesOfSettings,
} from '../../domain/forms/sources/source.ts';
import { PRIVATE_NETWORK } from '../../domain/forms/sources/source-field.ts';
import { type FormKind, fieldsOfKind, isFormKind } from '../../domain/forms/sources/source-fields.ts';
import type { Gazetteer } from '../../domain/places/places.ts';
import { parseForm } from '../../domain/validate-form.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';
import { placeFaults } from '../kinds/known-places.ts';
import { type SourceSettings, sourceSchema } from '../kinds/source-kinds.ts';
import { decryptSecrets, type StoredSource, setSecrets } from '../source-secrets.ts';
import { DEMO_NAME } from '../source-settings.ts';

/** A source as the admin's form sends it. */
export interface SourceInput {
  name: string;
  kind: string;
  fields: readonly { name: string; value: string }[];
}

export interface SourceChangeDeps {
  encryption: Encryption;
  /** Whether the operator of the server lets the browser name addresses in its private network. */
  allowsPrivateNetwork: boolean;
  gazetteer: Gazetteer;
}

const ENTER_AGAIN = 'Enter it again: the address leads to another server now';
const UNREADABLE = 'Enter it again: the stored one can’t be read any more, as SESSION_SECRET was changed';
const NOT_ALLOWED = 'The operator of this server has not allowed addresses in its own network (SOURCE_PRIVATE_NETWORK)';

/** @throws AppError VALIDATION */
export function refuseField(field: string, message: string): never {
  throw new AppError('VALIDATION', message, { fields: { [field]: message } });
}

/** @throws AppError VALIDATION for a field that the kind does not have, or that is there twice */
function valuesOf(kind: FormKind, { name, fields }: SourceInput): Record<string, string> {
  const known = new Set(fieldsOfKind(kind).map((field) => field.name));
  const values = new Map<string, string>();
  for (const field of fields) {
    if (!known.has(field.name)) refuseField('fields', 'This kind of source has no such field.');
    if (values.has(field.name)) refuseField(field.name, 'This field is there twice.');
    values.set(field.name, field.value);
  }
  return { ...Object.fromEntries(values), name };
}

/** The field names of the secrets that a stored source has. */
export function storedSecrets(kind: FormKind, settings: StoredSource['settings']): ReadonlySet<string> {
  const paths = new Set(setSecrets(settings));
  return new Set(fieldsOfKind(kind).flatMap(({ name, path, secret }) => (secret && paths.has(path) ? name : [])));
}

const originOf = (address: string | undefined): string | undefined => URL.parse(address ?? '')?.origin;

/** Whether the secrets would still be sent to the server that they were entered for. */
function hasSameReceiver(kind: FormKind, now: Record<string, string>, before: Record<string, string>): boolean {
  return fieldsOfKind(kind)
    .filter(({ receivesSecrets }) => receivesSecrets)
    .every(({ name }) => originOf(now[name]) === originOf(before[name]));
}

function valueAt(settings: object, path: string): unknown {
  let value: unknown = settings;
  for (const step of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[step];
  return value;
}

/** The secrets of the stored source for the fields that were left empty. @throws AppError VALIDATION */
function keptSecrets(
  kind: FormKind,
  values: Record<string, string>,
  stored: StoredSource,
  encryption: Encryption,
): Record<string, string> {
  const secrets = storedSecrets(kind, stored.settings);
  const kept = fieldsOfKind(kind).filter(
    ({ name, with: partner }) => secrets.has(name) && !values[name] && (!partner || values[partner]),
  );
  const refuseAll = (message: string) => refuseInvalid(Object.fromEntries(kept.map(({ name }) => [name, message])));
  if (kept.length === 0) return {};
  if (!hasSameReceiver(kind, values, valuesOfSettings(kind, stored.name, stored.settings))) refuseAll(ENTER_AGAIN);
  try {
    const whole = decryptSecrets(encryption, stored);
    return Object.fromEntries(kept.map(({ name, path }) => [name, String(valueAt(whole, path))]));
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
    refuseAll(UNREADABLE);
    throw error;
  }
}

/**
 * Checks a source that the form has sent, and converts it to settings with all of its secrets.
 * @param stored the source of this name and kind, whose secrets stay where the form leaves them empty; null if there is none
 * @throws AppError VALIDATION
 */
export function readSourceInput(
  input: SourceInput,
  stored: StoredSource | null,
  { encryption, allowsPrivateNetwork, gazetteer }: SourceChangeDeps,
): SourceSettings {
  const { kind } = input;
  if (!isFormKind(kind)) refuseField('kind', 'This kind of source can’t be set up in the browser.');
  const secrets = stored ? storedSecrets(kind, stored.settings) : undefined;
  const values: Record<string, string> = parseForm(
    formOf(kind, { ...(secrets && { stored: secrets }) }),
    valuesOf(kind, input),
  );
  const { name = '' } = values;
  if (name === DEMO_NAME) refuseField('name', 'This is the name of the demo marketplace');
  if (values[PRIVATE_NETWORK] && !allowsPrivateNetwork) refuseField(PRIVATE_NETWORK, NOT_ALLOWED);
  const kept = stored ? keptSecrets(kind, values, stored, encryption) : {};
  const settings = settingsOfValues(kind, { ...values, ...kept });
  const parsed = sourceSchema.safeParse({ ...settings, name, kind });
  if (parsed.success) {
    // The last store's fault is as good as the first one's: a field has one.
    const misplaced = placeFaults(parsed.data, () => gazetteer).map(({ path, message }) => {
      const [setting = '', ...store] = path.split('.');
      return [fieldOfPath(kind, setting) ?? 'fields', [store.join('.'), message].filter(Boolean).join(': ')];
    });
    refuseInvalid(Object.fromEntries(misplaced));
    return parsed.data;
  }
  const faults = parsed.error.issues.map(({ path, message }) => {
    const field = fieldOfPath(kind, path.join('.')) ?? 'fields';
    const { label, control } = fieldsOfKind(kind).find((one) => one.name === field) ?? { label: 'The source' };
    const [, entry] = path;
    const place = control === 'lines' && typeof entry === 'number' ? `, line ${entry + 1},` : '';
    return [field, `${label}${place} ${message}`];
  });
  refuseInvalid(Object.fromEntries(faults));
  throw parsed.error;
}
