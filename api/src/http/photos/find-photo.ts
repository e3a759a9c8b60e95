import type { Pool } from '../../base/database.ts';
import { type PhotoAddress, type PhotoPlace, photoAddress } from '../../domain/photo-paths.ts';

export type FindPhoto = (place: PhotoPlace) => Promise<PhotoAddress | null>;

interface Row {
  address: string | null;
  url: string | null;
  inside: boolean | null;
}

/** A page asks for its photos one by one, and again for the next buyer. */
const REMEMBER_MS = 60_000;
const MOST_REMEMBERED = 20_000;

/** Reads where a listing's photo lies, and remembers it for a minute. */
export function makeFindPhoto(pool: Pool): FindPhoto {
  const known = new Map<string, { address: PhotoAddress | null; until: number }>();

  async function read({ listingId, index }: PhotoPlace): Promise<PhotoAddress | null> {
    const { rows } = await pool.query<Row>({
      name: 'find-photo',
      // A listing that is kept for its matches alone has its first photo only.
      text: `select coalesce(l.images[$2 + 1], case when $2 = 0 then l.image_url end) as address,
                    s.settings ->> 'url' as url, (s.settings ->> 'allowPrivateNetwork')::bool as inside
               from listings l left join sources s on s.name = l.source where l.id = $1::int8`,
      values: [listingId, index],
    });
    const [row] = rows;
    if (!row?.address) return null;
    return photoAddress(row.address, { url: row.url, allowPrivateNetwork: row.inside === true });
  }

  return async (place) => {
    const key = `${place.listingId}/${place.index}`;
    const before = known.get(key);
    if (before && before.until > performance.now()) return before.address;
    const address = await read(place);
    known.delete(key);
    known.set(key, { address, until: performance.now() + REMEMBER_MS });
    const [oldest] = known.keys();
    if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return address;
  };
}
