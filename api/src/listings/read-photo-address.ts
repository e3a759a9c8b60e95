import type { Queryable } from '../base/database.ts';
import { type PhotoAddress, type PhotoPlace, photoAddress, sourceAddress } from '../domain/photo-paths.ts';

interface Row {
  address: string | null;
  url: string | null;
  inside: boolean | null;
}

/** Reads the address of a listing's photo at its source; null for a photo that the listing does not have. */
export async function readPhotoAddress(db: Queryable, { listingId, index }: PhotoPlace): Promise<PhotoAddress | null> {
  const { rows } = await db.query<Row>({
    name: 'find-photo',
    // A listing that is kept only for its matches has only its first photo.
    text: `select coalesce(l.images[$2 + 1], case when $2 = 0 then l.image_url end) as address,
                  ${sourceAddress} as url, (s.settings ->> 'allowPrivateNetwork')::bool as inside
             from listings l left join sources s on s.name = l.source where l.id = $1::int8`,
    values: [listingId, index],
  });
  const [row] = rows;
  if (!row?.address) return null;
  return photoAddress(row.address, { url: row.url, allowPrivateNetwork: row.inside === true });
}
