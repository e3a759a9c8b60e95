import { createHash, randomBytes } from 'node:crypto';
import { type Client, inTransaction, type Pool, type Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { OwnedRow } from '../entities/owned-rows.ts';
import { readListingsForBuyers } from './listing-for-buyer.ts';
import { lockBuyer } from './lock-buyer.ts';

/** Most links that a user may have at a time. */
const MAX_LINKS = 20;
/** How long a link works unless its owner ends it. */
const LIFETIME_DAYS = 90;
const TOKEN_BYTES = 32;
/** What base64url makes of 32 bytes. */
const tokenFormat = /^[\w-]{43}$/;
/** Titles that name a list to its owner. */
const TITLES = 3;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** A link as its owner sees it. */
export interface OwnLink {
  id: number;
  /** null for a list of cars. */
  alertId: number | null;
  carCount: number;
  titles: string[];
  createdAt: Date;
  expiresAt: Date;
}

/** A new link; its token is stored only as a hash. */
export interface MadeLink extends OwnLink {
  token: string;
}

/** SQL: the columns of `OwnLink`. @param s an alias of `shared_links` */
const ownColumns = (s: string): string => `
  ${s}.id, ${s}.alert_id as "alertId", ${s}.created_at as "createdAt", ${s}.expires_at as "expiresAt",
  coalesce(cardinality(${s}.listing_ids), 0) as "carCount",
  array(select l.title from unnest(${s}.listing_ids) with ordinality k (id, at)
         cross join lateral (select title from listings where id = k.id offset 0) l
         order by k.at limit ${TITLES}) as titles`;

/** Locks the account and checks the limit. @throws AppError CONFLICT, UNAUTHENTICATED when the account is gone */
async function requireRoom(client: Client, userId: number): Promise<void> {
  await lockBuyer(client, userId);
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int4 as count from shared_links where user_id = $1 and expires_at > now()',
    [userId],
  );
  if ((rows[0]?.count ?? 0) >= MAX_LINKS)
    throw new AppError('CONFLICT', `You have ${MAX_LINKS} shared links. Please end one to make another.`);
}

/**
 * Makes a link to what an alert of the user matches, whenever it is opened.
 * @throws AppError NOT_FOUND when the alert is gone or another user's, CONFLICT above the limit of links, UNAUTHENTICATED when
 *   the account is gone
 */
export async function shareAlert(
  pool: Pool,
  { userId, alertId }: { userId: number; alertId: number },
): Promise<MadeLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return inTransaction(pool, async (client) => {
    await requireRoom(client, userId);
    // Locked, so that whoever deletes the alert finds the link.
    const { rows } = await client.query<OwnLink>(
      `with own as materialized (select id, user_id from alerts where id = $2 and user_id = $1 for key share),
       made as (
         insert into shared_links (user_id, alert_id, token_hash, expires_at)
         select user_id, id, $3, now() + interval '${LIFETIME_DAYS} days' from own returning *)
       select ${ownColumns('made')} from made`,
      [userId, alertId, hashOf(token)],
    );
    const [link] = rows;
    if (!link) throw new AppError('NOT_FOUND', 'Alert not found');
    return { ...link, token };
  });
}

/**
 * Makes a link to a list of cars, which stays as it is.
 * @param list `listingIds` are of listings that the user may see, in the order in which they are shown
 * @throws AppError CONFLICT above the limit of links, UNAUTHENTICATED when the account is gone
 */
export async function shareListings(
  pool: Pool,
  { userId, listingIds }: { userId: number; listingIds: readonly number[] },
): Promise<MadeLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return inTransaction(pool, async (client) => {
    await requireRoom(client, userId);
    const { rows } = await client.query<OwnLink>(
      `with made as (
         insert into shared_links (user_id, listing_ids, token_hash, expires_at)
         values ($1, $2::int8[], $3, now() + interval '${LIFETIME_DAYS} days') returning *)
       select ${ownColumns('made')} from made`,
      [userId, listingIds, hashOf(token)],
    );
    const [link] = rows;
    if (!link) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
    return { ...link, token };
  });
}

/** Reads the user's links that work, newest first. */
export async function readSharedLinks(db: Queryable, userId: number): Promise<OwnLink[]> {
  const { rows } = await db.query<OwnLink>({
    name: 'read-shared-links',
    text: `select ${ownColumns('s')} from shared_links s
            where s.user_id = $1 and s.expires_at > now() order by s.id desc`,
    values: [userId],
  });
  return rows;
}

/** Ends a link of the user's at once. @throws AppError NOT_FOUND when it has ended or is another user's */
export async function endSharedLink(db: Queryable, { userId, id }: OwnedRow): Promise<void> {
  const { rowCount } = await db.query('delete from shared_links where id = $1 and user_id = $2', [id, userId]);
  if (rowCount === 0) throw new AppError('NOT_FOUND', 'Link not found');
}

/** Ends all links of a user's, in the transaction that ends what else others could have made in the account. */
export async function endLinksOfUser(db: Queryable, userId: number): Promise<void> {
  await db.query('delete from shared_links where user_id = $1', [userId]);
}

/**
 * Ends the links to an alert, and takes the cars that are hidden out of the user's lists, as it is forgotten with the alert
 * that they are. It must be called in the transaction that deletes the alert, before its matches are deleted.
 */
export async function endLinksOfAlert(db: Queryable, { userId, id }: OwnedRow): Promise<void> {
  await db.query('delete from shared_links where alert_id = $1 and user_id = $2', [id, userId]);
  const { rows } = await db.query<{ id: number | null }>(
    'select distinct unnest(listing_ids) as id from shared_links where user_id = $1',
    [userId],
  );
  const listed = rows.flatMap((row) => row.id ?? []);
  const shown = await withoutHidden(db, userId, listed);
  if (shown.length === listed.length) return;
  await db.query(
    `update shared_links
        set listing_ids = array(select k.id from unnest(listing_ids) with ordinality k (id, at)
                                 where k.id = any($2::int8[]) order by k.at)
      where user_id = $1 and listing_ids is not null`,
    [userId, shown],
  );
}

/** What a link shows, and of whom. */
export type SharedContent = { userId: number } & (
  | { alertId: number; listingIds: null }
  | { alertId: null; listingIds: number[] }
);

/**
 * Finds what a link shows; of a list with the cars that its owner has hidden since.
 * @returns null for a link that never was, was ended or has expired, without a difference
 */
export async function findShared(db: Queryable, token: string): Promise<SharedContent | null> {
  if (!tokenFormat.test(token)) return null;
  const { rows } = await db.query<SharedContent>({
    name: 'find-shared',
    text: `select user_id as "userId", alert_id as "alertId", listing_ids as "listingIds"
             from shared_links where token_hash = $1 and expires_at > now()`,
    values: [hashOf(token)],
  });
  return rows[0] ?? null;
}

/** Leaves out of listings, for others, those whose car the user has hidden from any alert, as `Listing.hidden` says. */
export async function withoutHidden(db: Queryable, userId: number, ids: readonly number[]): Promise<number[]> {
  const buyers = await readListingsForBuyers(
    db,
    ids.map((id) => ({ userId, id })),
  );
  const hidden = new Set(buyers.filter((buyer) => buyer.hidden).map(({ id }) => id));
  return ids.filter((id) => !hidden.has(id));
}
