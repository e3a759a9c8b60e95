import type { Queryable } from '../base/database.ts';
import { type Seal, tryOpen } from '../base/seal.ts';
import { WebFetchError } from '../vendors/web-fetch-error.ts';
import type { SourceSettings } from './source-settings.ts';

type Header = NonNullable<SourceSettings['header']>;

/** A header whose value the database does not show. */
export interface SealedHeader {
  name: string;
  box: string;
}

/** A source as the database has it. */
export type SealedSource = Omit<SourceSettings, 'header'> & { header?: SealedHeader | undefined };

const sealed = (seal: Seal, { name, value }: Header): SealedHeader => ({ name, box: seal.close(value) });

/** Seals the headers of sources, so that they can be written. */
export const sealHeaders = (seal: Seal, sources: readonly SourceSettings[]): SealedSource[] =>
  sources.map(({ header, ...source }) => (header ? { ...source, header: sealed(seal, header) } : source));

/**
 * The header as it is sent.
 * @throws WebFetchError NO_SECRET when it was sealed under another SESSION_SECRET
 */
export function openHeader(seal: Seal, { name, box }: SealedHeader): Record<string, string> {
  const value = tryOpen(seal, box);
  if (value !== null) return { [name]: value };
  throw new WebFetchError(
    'NO_SECRET',
    `The header ${name} can't be read, as SESSION_SECRET is another one now: name the source in SOURCES_FILE again.`,
  );
}

/** Seals what an earlier version has written in clear. @returns how many there were */
export async function sealClearHeaders(db: Queryable, seal: Seal): Promise<number> {
  const { rows } = await db.query<{ name: string; header: Header }>(
    `select name, settings -> 'header' as header from sources where settings #>> '{header,value}' is not null`,
  );
  for (const { name, header } of rows) {
    await db.query(
      `update sources set settings = jsonb_set(settings, '{header}', $2::jsonb)
        where name = $1 and settings -> 'header' = $3::jsonb`,
      [name, JSON.stringify(sealed(seal, header)), JSON.stringify(header)],
    );
  }
  return rows.length;
}
