import { inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { type PhotoAddress, photoAddress, sourceAddress } from '../domain/photo-paths.ts';
import { haveCopies, lockToWrite } from '../placement/listing-marks.ts';

export interface CandidatePhoto {
  listingId: number;
  /** null before the photo was read; empty when it can't be read. */
  hash: Uint8Array | null;
  address: PhotoAddress | null;
}

export interface CandidatePair {
  listing: CandidatePhoto;
  other: CandidatePhoto;
  /** The number of tries, including this one. */
  tries: number;
}

interface PairRow {
  listing_id: number;
  other_id: number;
  tries: number;
  photos: { id: number; image: string | null; hash: string | null; url: string | null; inside: boolean | null }[];
}

/** The delay before the second try is a minute, before the third ten. */
export const TRIES = 3;
const RETRY_AFTER = "case tries when 0 then interval '1 minute' else interval '10 minutes' end";

/**
 * Claims pairs of listings whose photos are to be compared. A claimed pair is due again later, so that a crash loses none.
 */
export async function claimCandidates(db: Queryable, limit: number): Promise<CandidatePair[]> {
  const { rows } = await db.query<PairRow>(
    `/* photos-claim */ with due as (
       select listing_id, other_id from car_candidates where next_try_at <= now()
        order by next_try_at, listing_id limit $1 for update skip locked
     ), taken as (
       update car_candidates c set tries = tries + 1, next_try_at = now() + ${RETRY_AFTER}
         from due where c.listing_id = due.listing_id and c.other_id = due.other_id
       returning c.listing_id, c.other_id, c.tries
     )
     select t.*, (
       select coalesce(json_agg(json_build_object(
                'id', l.id, 'image', l.image_url, 'hash', encode(l.photo_hash, 'base64'), 'url', ${sourceAddress},
                'inside', (s.settings ->> 'allowPrivateNetwork')::bool)), '[]')
         from listings l left join sources s on s.name = l.source
        where l.id in (t.listing_id, t.other_id)) as photos
       from taken t`,
    [limit],
  );
  const photoOf = (row: PairRow, listingId: number): CandidatePhoto => {
    const found = row.photos.find(({ id }) => id === listingId);
    const source = found ? { url: found.url, allowPrivateNetwork: found.inside === true } : null;
    return {
      listingId,
      hash: found?.hash == null ? null : Buffer.from(found.hash, 'base64'),
      address: found?.image == null ? null : photoAddress(found.image, source),
    };
  };
  return rows.map((row) => ({
    listing: photoOf(row, row.listing_id),
    other: photoOf(row, row.other_id),
    tries: row.tries,
  }));
}

/**
 * Stores a photo's hash, so that the photo is read once; where a server of a cluster lacks the listing yet, it is read again.
 * @param hash empty for a photo that can't be read
 */
export function storePhotoHash(pool: Pool, listingId: number, hash: Uint8Array): Promise<void> {
  return inTransaction(pool, async (client, commitWith) => {
    await lockToWrite(client, [listingId]);
    if ((await haveCopies(client, [listingId])).length === 0) return;
    await commitWith(() => [
      client.query('update listings set photo_hash = $2 where id = $1', [listingId, Buffer.from(hash)]),
    ]);
  });
}

/** Deletes a pair that was decided. */
export async function completeCandidate(db: Queryable, { listing, other }: CandidatePair): Promise<void> {
  await db.query('delete from car_candidates where listing_id = $1 and other_id = $2', [
    listing.listingId,
    other.listingId,
  ]);
}

/** @returns milliseconds until the next pair is due; null when none waits */
export async function untilNextCandidate(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ ms: number | null }>(
    `select greatest(100, ceil(extract(epoch from min(next_try_at) - now()) * 1000))::float8 as ms
       from car_candidates having count(*) > 0`,
  );
  return rows[0]?.ms ?? null;
}
