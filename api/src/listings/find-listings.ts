import type { Queryable } from '../base/database.ts';
import type { AlertCriteria, ListingCriteria } from '../domain/criteria/criteria.ts';
import { alertCells } from '../domain/criteria/search-columns.ts';
import type { ExplainedPair } from '../domain/explanations/explain.ts';
import { hostOf, type SearchedListing } from '../domain/explanations/searched-listing.ts';
import type { ListingStatus, RejectCode } from '../domain/facts/listing-facts.ts';
import { readTitle } from '../domain/titles/vehicle-title.ts';
import { factColumns } from '../entities/criteria-columns.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import type { OwnedRow } from '../entities/owned-rows.ts';
import { BACKFILL_DAYS } from '../matching/alert-search-sql.ts';
import { hasMark } from '../placement/listing-marks.ts';
import { ownAddress } from '../sources/own-address.ts';

/** What anybody may see of a listing, and what criteria are about. */
export interface FoundListing extends ListingCriteria {
  id: number;
  title: string;
  city: string | null;
  state: string | null;
  status: ListingStatus;
}

interface Candidate extends FoundListing {
  url: string | null;
}

const columns = `l.id, ${factColumns('l')}, l.city, l.state, l.status, l.url`;

/** How many listings one may choose from. */
const CHOICES = 5;

/** By index: sources are few, and each looks up the ids. */
async function findByIds(db: Queryable, { id, externalIds }: SearchedListing): Promise<Candidate[]> {
  const { rows } = await db.query<Candidate>({
    name: 'find-listings-by-ids',
    text: `
      select ${columns}
        from (
          select $1::int8 as id union
          select f.id from sources s
           cross join lateral (
             select id from listings where source = s.name and external_id = any($2::text[]) offset 0) f) named
       cross join lateral (select * from listings where id = named.id offset 0) l
       order by l.seen_at desc, l.id desc limit 100`,
    values: [id, externalIds],
  });
  return rows;
}

/** An address whose host is another one only happens to have the same number in it. */
function ofAddress(candidates: readonly Candidate[], { url, host }: SearchedListing): Candidate[] {
  if (url === null) return [...candidates];
  const same = candidates.filter((one) => one.url === url);
  return same.length > 0 ? same : candidates.filter((one) => one.url === null || hostOf(one.url) === host);
}

/** How many cars of each kind are compared with a title or address: the newest near the alert, and its newest matches. */
const COMPARED = 4000;
/** Miles beyond the alert's radius: a car that is too far away is one that may be asked about. */
const BEYOND = 100;
/** For so many days after its end a car is found that is no match. */
const ENDED_DAYS = 30;

/** The cells near an alert, of the make and model that a title names, or else of all makes of the alert. */
function cellsOf(alert: AlertCriteria, title: string | null) {
  const { make, model } = readTitle(title ?? '');
  const area = { ...alert, radius: alert.radius + BEYOND };
  if (make !== null) return alertCells({ ...area, make, model, models: null });
  // A car of another model is one that may be asked about too.
  return alertCells(area).map(({ makeKey }) => ({ makeKey, modelKeys: null }));
}

/** SQL: the newest cars in the cells `$1`; the columns are those of an index that begins with the make in a cell. */
const newest = (at: string, condition: string): string => `
  select f.id from cells k
   cross join lateral (
     select id, ${at} as at from listings l where l.make_key = k."makeKey" and ${condition} order by ${at} desc limit $2) f
   order by f.at desc limit $2`;

const isForSale = `l.status = 'for_sale' and not l.pending_match`;
const isOfModel = `${isForSale} and l.model_key = any (k."modelKeys")`;
const hasEnded = `l.status <> 'for_sale' and l.unseen_since > current_date - ${ENDED_DAYS}`;

/**
 * Compares cars near the alert that are for sale, those that ended lately, and its newest matches. A model adds further
 * cars and leaves none out: the facts of a listing may have another one than its title.
 */
async function findByText(
  db: Queryable,
  alert: AlertCriteria & { id: number; userId: number },
  { title, titleWords, url }: SearchedListing,
): Promise<Candidate[]> {
  const cells = cellsOf(alert, title);
  const patterns = titleWords.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  const { rows } = await db.query<Candidate>({
    name: 'find-listings-by-text',
    text: `
      with cells as materialized (select * from json_to_recordset($1::json) as k ("makeKey" int8, "modelKeys" int8[])),
      near as (${newest('l.seen_at', isForSale)}),
      of_model as (${newest('l.seen_at', isOfModel)}),
      ended as (${newest('l.unseen_since', hasEnded)}),
      matched as (select listing_id as id from matches where alert_id = $3 and user_id = $7 order by position desc limit $2)
      select ${columns}
        from (select id from near union select id from of_model union select id from ended union select id from matched) f
        join lateral (select * from listings where id = f.id offset 0) l on true
       where case when $4::text is null then lower(l.title) like all($5::text[]) else l.url = $4 end
       order by l.seen_at desc, l.id desc limit $6`,
    values: [JSON.stringify(cells), COMPARED, alert.id, url, patterns, CHOICES, alert.userId],
  });
  return rows;
}

/**
 * Finds the listings that somebody looks for, newest first: by number, id or address, and only where that finds none, by
 * the words of a title among a bounded number of cars.
 */
export async function findListings(
  db: Queryable,
  alert: AlertCriteria & { id: number; userId: number },
  searched: SearchedListing,
): Promise<FoundListing[]> {
  const named = ofAddress(await findByIds(db, searched), searched);
  if (named.length > 0) return named.slice(0, CHOICES);
  return searched.url === null && searched.titleWords.length === 0 ? [] : findByText(db, alert, searched);
}

/** A shorter number in an address means something only where the record names the same site. */
const LONG_ID = 10;
/** How many of the newest records with short ids are read, as each may be 64 kB. */
const READ = 20;

/** Reads why the newest record with one of the ids is in quarantine; null without one. */
export async function findQuarantined(
  db: Queryable,
  { externalIds, host }: SearchedListing,
): Promise<RejectCode | null> {
  const { rows } = await db.query<{ code: RejectCode; externalId: string; record: string | null }>({
    name: 'find-quarantined',
    text: `select q.code, q.external_id as "externalId",
                  case when $2 and length(q.external_id) < ${LONG_ID} then q.record end as record
             from sources s
            cross join lateral (
              select code, external_id, record, last_seen_at from quarantine
               where source = s.name and external_id = any($1::text[]) offset 0) q
            order by q.last_seen_at desc limit ${READ}`,
    values: [externalIds, host !== null],
  });
  // Only the host of the record's own address is compared: whether a record contains some text is not for buyers to ask.
  const found = rows.find(({ record, externalId }) => {
    const address = record === null ? null : ownAddress(record, externalId);
    return record === null || (address !== null && hostOf(address) === host);
  });
  return found?.code ?? null;
}

/** The search goes back from when it runs, which is a little after it was requested. */
const SEARCH_DELAY = '15 minutes';

/** Reads what is known of an alert and a listing; null when one of them is gone. */
export async function readPair(
  db: Queryable,
  { id, userId }: OwnedRow,
  listingId: number,
): Promise<ExplainedPair | null> {
  const { rows } = await db.query<ExplainedPair>({
    name: 'read-explained-pair',
    text: `
      select l.status,
             case m.alert_version when ${DISMISSED} then 'dismissed' when a.version then 'shown'
                  else case when m.alert_version is not null then 'hidden' end end as match,
             coalesce(m.announced, false) as announced,
             l.seen_at < a.backfill_requested_at as "isFromBefore",
             l.seen_at < a.backfill_requested_at - interval '${BACKFILL_DAYS} days' + interval '${SEARCH_DELAY}'
               as "isBeforeBackfill",
             a.pending_match or ${hasMark('l.id')} as "isPending",
             a.is_active and a.expires_at > now() as "isWatching", a.is_capped as "isCapped"
        from alerts a
        join listings l on l.id = $2
        left join matches m on m.listing_id = l.id and m.alert_id = a.id and m.user_id = a.user_id
       where a.id = $1 and a.user_id = $3`,
    values: [id, listingId, userId],
  });
  return rows[0] ?? null;
}
