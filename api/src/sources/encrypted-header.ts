import type { Queryable } from '../base/database.ts';
import { type Encryption, tryDecrypt } from '../base/encryption.ts';
import { WebFetchError } from '../vendors/web-fetch-error.ts';
import type { SourceSettings } from './source-settings.ts';

/** A source as the database stores it: the settings hold only the header's name, and its value is encrypted. */
export type StoredSource = Omit<SourceSettings, 'header'> & {
  header?: { name: string } | undefined;
  encryptedHeader: string | null;
};

/** Encrypts the headers of sources before they are stored. */
export const encryptHeaders = (encryption: Encryption, sources: readonly SourceSettings[]): StoredSource[] =>
  sources.map(({ header, ...source }) => ({
    ...source,
    ...(header && { header: { name: header.name } }),
    encryptedHeader: header ? encryption.encrypt(header.value) : null,
  }));

/**
 * Decrypts a source's header; the result is empty where the source has none.
 * @throws WebFetchError NO_SECRET when it was encrypted with a SESSION_SECRET that is no longer known
 */
export function decryptHeader(
  encryption: Encryption,
  { header, encryptedHeader }: Pick<StoredSource, 'header' | 'encryptedHeader'>,
) {
  if (!header) return {};
  const value = encryptedHeader === null ? null : tryDecrypt(encryption, encryptedHeader);
  if (value !== null) return { [header.name]: value };
  throw new WebFetchError(
    'NO_SECRET',
    `The header ${header.name} can't be read, as SESSION_SECRET is another one now: name the source in SOURCES_FILE again.`,
  );
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
