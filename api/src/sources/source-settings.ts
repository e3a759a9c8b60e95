import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { Queryable } from '../base/database.ts';
import { type Encryption, tryDecrypt } from '../base/encryption.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { trimEnd } from '../base/trim-end.ts';
import { WebFetchError } from '../vendors/web-fetch-guard.ts';

/** The name of the launcher's demo marketplace as a source. */
export const DEMO_NAME = 'demo';
const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

const sourceSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be 1 to 40 of a-z, 0-9 and -'),
    kind: z.enum(['marketplace-items', 'vehicle-feed']),
    url: httpUrl.optional(),
    file: z.string().min(1).optional(),
    everySeconds: z.number().int().min(5, 'must be at least 5').max(86_400).default(60),
    header: z
      .strictObject({
        name: z.string().regex(/^[A-Za-z0-9-]+$/, 'is no header name'),
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a header's value must hold none
        value: z.string().regex(/^[^\u0000-\u001f\u007f]*$/, 'holds a control character'),
      })
      .optional(),
    order: z.enum(['newest-first', 'append']).default('newest-first'),
    pageSize: z.number().int().min(1).max(1000).default(100),
    marketplaceHome: httpUrl.optional(),
    allowPrivateNetwork: z.boolean().default(false),
    ended: z.boolean().default(false),
  })
  .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'needs either url or file');

export type SourceSettings = z.infer<typeof sourceSchema>;
export type SourceKind = SourceSettings['kind'];

/** The demo marketplace as a source; only this one is read every 2 s. @param url where it listens, without a path */
export function demoSource(url: string, perSecond: number): SourceSettings {
  return {
    name: DEMO_NAME,
    kind: 'marketplace-items',
    url: `${trimEnd(url, '/')}/items`,
    everySeconds: 2,
    order: 'newest-first',
    // One page has all that appears between two polls, and a few known items.
    pageSize: Math.min(1000, Math.max(50, Math.ceil(perSecond * 4))),
    allowPrivateNetwork: true,
    ended: false,
  };
}

const faultOf = ({ path, message }: z.core.$ZodIssue): string => `${path.join('.') || 'the list'}: ${message}`;

function nameFaults(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  const names = given.map((source: unknown) =>
    typeof source === 'object' && source !== null && 'name' in source ? source.name : undefined,
  );
  return names.flatMap((name, index) => {
    if (name === DEMO_NAME) return [`${index}.name: ${DEMO_NAME} is the demo marketplace’s`];
    const first = typeof name === 'string' ? names.indexOf(name) : index;
    return first === index ? [] : [`${index}.name: ${String(name)} is there twice`];
  });
}

/**
 * Checks the text of a SOURCES_FILE. A relative `file` counts from `folder`.
 * @throws SettingsError with all faults together
 */
export function parseSources(text: string, folder: string): SourceSettings[] {
  let given: unknown;
  try {
    given = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new SettingsError([
      `SOURCES_FILE: is not valid JSON (${error instanceof Error ? error.message : String(error)})`,
    ]);
  }
  const parsed = z.array(sourceSchema).safeParse(given);
  const faults = [...(parsed.success ? [] : parsed.error.issues.map(faultOf)), ...nameFaults(given)];
  if (!parsed.success || faults.length > 0) throw new SettingsError(faults.map((fault) => `SOURCES_FILE: ${fault}`));
  return parsed.data.map((source) =>
    source.file === undefined ? source : { ...source, file: resolve(folder, source.file) },
  );
}

/** Reads SOURCES_FILE. @throws SettingsError */
export function readSourcesFile(path: string): SourceSettings[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingsError([`SOURCES_FILE: can't be read (${why})`]);
  }
  return parseSources(text, dirname(resolve(path)));
}

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
