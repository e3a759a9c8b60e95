import type { Queryable } from '../base/database.ts';
import { type Encryption, tryDecrypt } from '../base/encryption.ts';
import { WebFetchError } from '../vendors/web-fetch-guard.ts';
import { kindOf, type SourceSettings } from './kinds/source-kinds.ts';

type Fields = Record<string, unknown>;

/** A source as the database stores it: `settings` holds no secret. */
export interface StoredSource {
  name: string;
  kind: string;
  ended: boolean;
  settings: Fields;
  /** What is in `header_ciphertext`; null without a secret. */
  encryptedSecrets: string | null;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that holds a path's last field, and that field; undefined where there is none. */
function placeOf(fields: Fields, path: string): { holder: Fields; field: string } | undefined {
  const names = path.split('.');
  const field = names.pop() ?? '';
  let holder: unknown = fields;
  for (const name of names) holder = isFields(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
  return isFields(holder) ? { holder, field } : undefined;
}

/** A header's value alone is stored as it is, since versions that knew no other secret read it so. */
const HEADER = 'header.value';

/** Splits the settings of sources into what may be read in the database and what is encrypted. */
export const encryptSecrets = (encryption: Encryption, sources: readonly SourceSettings[]): StoredSource[] =>
  sources.map((source) => {
    const { name, kind, ended, ...settings } = structuredClone(source) as Fields & SourceSettings;
    const secrets: Fields = {};
    for (const path of kindOf(kind).secrets) {
      const place = placeOf(settings, path);
      if (place?.holder[place.field] === undefined) continue;
      secrets[path] = place.holder[place.field];
      delete place.holder[place.field];
    }
    const paths = Object.keys(secrets);
    if (paths.length === 0) return { name, kind, ended, settings, encryptedSecrets: null };
    if (paths.length === 1 && paths[0] === HEADER) {
      return { name, kind, ended, settings, encryptedSecrets: encryption.encrypt(String(secrets[HEADER])) };
    }
    const encryptedSecrets = encryption.encrypt(JSON.stringify(secrets));
    return { name, kind, ended, settings: { ...settings, secrets: paths }, encryptedSecrets };
  });

/** The paths of the secrets that a stored source has. */
export function setSecrets(settings: Readonly<Fields>): string[] {
  if (Array.isArray(settings.secrets)) return settings.secrets.filter((path) => typeof path === 'string');
  return isFields(settings.header) ? [HEADER] : [];
}

function unreadable(settings: Readonly<Fields>, paths: readonly string[]): WebFetchError {
  const isHeader = paths.length === 1 && paths[0] === HEADER && isFields(settings.header);
  const what = isHeader
    ? `The header ${String((settings.header as Fields).name)} can't be read`
    : `The source's ${paths.join(', ')} can't be read`;
  return new WebFetchError(
    'NO_SECRET',
    `${what}, as SESSION_SECRET is another one now: name the source in SOURCES_FILE again, or enter it again on the admin’s page.`,
  );
}

/**
 * The settings of a stored source with its secrets.
 * @throws WebFetchError NO_SECRET when they were encrypted with a SESSION_SECRET that is no longer known
 */
export function decryptSecrets(
  encryption: Encryption,
  { name, kind, settings, encryptedSecrets }: Omit<StoredSource, 'ended'>,
): SourceSettings {
  const paths = setSecrets(settings);
  const { secrets: _, ...opened } = structuredClone(settings) as Fields;
  const whole = { ...opened, name, kind, ended: false };
  if (paths.length === 0) return whole as unknown as SourceSettings;
  const text = encryptedSecrets === null ? null : tryDecrypt(encryption, encryptedSecrets);
  if (text === null) throw unreadable(settings, paths);
  const values: Fields = settings.secrets === undefined ? { [HEADER]: text } : JSON.parse(text);
  for (const path of paths) {
    const place = placeOf(whole, path);
    if (place) place.holder[place.field] = values[path];
  }
  return whole as unknown as SourceSettings;
}

/** Encrypts headers that an earlier version has stored in clear. @returns how many there were */
export async function encryptClearHeaders(db: Queryable, encryption: Encryption): Promise<number> {
  const { rows } = await db.query<{ name: string; value: string }>(
    `select name, settings #>> '{header,value}' as value from sources where settings #>> '{header,value}' is not null`,
  );
  for (const { name, value } of rows) {
    await db.query(
      `update sources set settings = settings #- '{header,value}', header_ciphertext = $2
        where name = $1 and settings #>> '{header,value}' = $3`,
      [name, encryption.encrypt(value), value],
    );
  }
  return rows.length;
}
