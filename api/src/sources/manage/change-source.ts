import type { Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import { valuesOfSettings } from '../../domain/forms/sources/source.ts';
import { fieldsOfKind, isFormKind } from '../../domain/forms/sources/source-fields.ts';
import { SourceOrigin } from '../../domain/source-origin.ts';
import { storeSource } from '../change-sources.ts';
import type { SourceSettings } from '../kinds/source-kinds.ts';
import { encryptSecrets, type StoredSource } from '../source-secrets.ts';
import { DEMO_NAME } from '../source-settings.ts';
import {
  readSourceInput,
  refuseField,
  type SourceChangeDeps,
  type SourceInput,
  storedSecrets,
} from './source-input.ts';

/** A source's settings as the admin sees them, without its secrets. */
export interface ShownSource {
  name: string;
  kind: string;
  origin: SourceOrigin;
  version: number;
  /** Empty where the browser can't edit them. */
  fields: { name: string; value: string | null; isSet: boolean }[];
  replacedAt: Date | null;
}

interface SourceRow extends StoredSource {
  origin: 'settings' | 'browser';
  version: number;
  replacedAt: Date | null;
}

const select = `select name, kind, settings, header_ciphertext as "encryptedSecrets", ended_by is not null as ended,
  origin, version, replaced_at as "replacedAt" from sources`;

/** Where a source's settings come from. */
export function originOf({ name, kind, origin }: { name: string; kind: string; origin: string }): SourceOrigin {
  if (kind === 'push') return SourceOrigin.push;
  if (name === DEMO_NAME) return SourceOrigin.demo;
  return origin === 'browser' ? SourceOrigin.browser : SourceOrigin.settings;
}

function fieldsOf({ name, kind, origin, settings }: SourceRow): ShownSource['fields'] {
  if (origin !== 'browser' || !isFormKind(kind)) return [];
  const values = valuesOfSettings(kind, name, settings);
  const secrets = storedSecrets(kind, settings);
  return fieldsOfKind(kind).map((field) => {
    if (field.secret) return { name: field.name, value: null, isSet: secrets.has(field.name) };
    const value = values[field.name] ?? '';
    return { name: field.name, value, isSet: value !== '' };
  });
}

const shown = (row: SourceRow): ShownSource => ({
  name: row.name,
  kind: row.kind,
  origin: originOf(row),
  version: row.version,
  fields: fieldsOf(row),
  replacedAt: row.replacedAt,
});

/** How each source is set up, by name. */
export async function readSourceSettings(db: Queryable): Promise<ShownSource[]> {
  const { rows } = await db.query<SourceRow>(`${select} order by name`);
  return rows.map(shown);
}

/** Reads a source. @param lock until the transaction ends */
async function readRow(db: Queryable, name: string, lock: boolean): Promise<SourceRow | null> {
  const { rows } = await db.query<SourceRow>(`${select} where name = $1${lock ? ' for no key update' : ''}`, [name]);
  return rows[0] ?? null;
}

async function store(db: Queryable, { encryption }: SourceChangeDeps, source: SourceSettings, version: number) {
  const [stored] = encryptSecrets(encryption, [source]);
  if (!stored || !(await storeSource(db, stored, { origin: 'browser', version }))) return null;
  return readRow(db, source.name, false);
}

/**
 * Makes a source, which is due at once.
 * @throws AppError VALIDATION, also where the name is taken
 */
export async function createSource(db: Queryable, deps: SourceChangeDeps, input: SourceInput): Promise<ShownSource> {
  const row = await store(db, deps, readSourceInput(input, null, deps), 0);
  if (row) return shown(row);
  return refuseField('name', 'There is a source of this name already');
}

/**
 * Changes a source that was made in the browser, within a transaction. One that is stopped stays stopped.
 * @param version the one that was edited
 * @throws AppError VALIDATION, NOT_FOUND, CONFLICT where it has changed since, or SOURCES_FILE names it
 */
export async function updateSource(
  db: Queryable,
  deps: SourceChangeDeps,
  input: SourceInput,
  version: number,
): Promise<ShownSource> {
  const before = await readRow(db, input.name, true);
  if (!before) throw new AppError('NOT_FOUND', 'Source not found');
  if (originOf(before) !== SourceOrigin.browser)
    throw new AppError('CONFLICT', 'This source is not set up in the browser, so it can’t be edited here.');
  if (before.version !== version)
    throw new AppError('CONFLICT', 'This source was changed in the meantime. Open it again to see its settings.');
  if (before.kind !== input.kind) refuseField('kind', 'The kind of a source can’t be changed: add another source.');
  const row = await store(db, deps, readSourceInput(input, before, deps), version);
  if (!row) throw new AppError('CONFLICT', 'This source was changed in the meantime.');
  return shown(row);
}

/**
 * Checks a source that is to be tried. Secrets that are left empty are those of the stored source of this name, if it was
 * made in the browser.
 * @throws AppError VALIDATION
 */
export async function sourceToTry(db: Queryable, deps: SourceChangeDeps, input: SourceInput): Promise<SourceSettings> {
  const row = await readRow(db, input.name, false);
  const isSame = row !== null && originOf(row) === SourceOrigin.browser && row.kind === input.kind;
  return readSourceInput(input, isSame ? row : null, deps);
}
