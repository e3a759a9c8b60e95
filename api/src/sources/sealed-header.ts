import type { Queryable } from '../base/database.ts';
import { type Seal, tryOpen } from '../base/seal.ts';
import { WebFetchError } from '../vendors/web-fetch-error.ts';
import type { SourceSettings } from './source-settings.ts';

/** A source as the database has it: of its header the settings have the name alone, and the value lies in a box. */
export type SealedSource = Omit<SourceSettings, 'header'> & {
  header?: { name: string } | undefined;
  headerBox: string | null;
};

/** Seals the headers of sources, so that they can be written. */
export const sealHeaders = (seal: Seal, sources: readonly SourceSettings[]): SealedSource[] =>
  sources.map(({ header, ...source }) => ({
    ...source,
    ...(header && { header: { name: header.name } }),
    headerBox: header ? seal.close(header.value) : null,
  }));

/**
 * The header as it is sent; none where the source has none.
 * @throws WebFetchError NO_SECRET when it was sealed under a SESSION_SECRET that is not known any more
 */
export function openHeader(seal: Seal, { header, headerBox }: Pick<SealedSource, 'header' | 'headerBox'>) {
  if (!header) return {};
  const value = headerBox === null ? null : tryOpen(seal, headerBox);
  if (value !== null) return { [header.name]: value };
  throw new WebFetchError(
    'NO_SECRET',
    `The header ${header.name} can't be read, as SESSION_SECRET is another one now: name the source in SOURCES_FILE again.`,
  );
}

/** Seals what an earlier version has written in clear. @returns how many there were */
export async function sealClearHeaders(db: Queryable, seal: Seal): Promise<number> {
  const { rows } = await db.query<{ name: string; value: string }>(
    `select name, settings #>> '{header,value}' as value from sources where settings #>> '{header,value}' is not null`,
  );
  for (const { name, value } of rows) {
    await db.query(
      `update sources set settings = settings #- '{header,value}', header_box = $2
        where name = $1 and settings #>> '{header,value}' = $3`,
      [name, seal.close(value), value],
    );
  }
  return rows.length;
}
