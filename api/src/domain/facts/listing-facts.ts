import { hash } from 'node:crypto';
import type { KindFacts } from './kinds-from-text.ts';

/** `pending` and `sold` take a listing out of matching; `gone` is one that its source no longer shows. */
export enum ListingStatus {
  forSale = 'for_sale',
  pending = 'pending',
  sold = 'sold',
  gone = 'gone',
}

/** The facts that are also read in what sellers write; `doors` and `priceWords` are only shown. */
export const textFactNames = [
  'titleStatus',
  'mileage',
  'trim',
  'drive',
  'fuel',
  'transmission',
  'body',
  'doors',
  'color',
  'seller',
  'vin',
  'priceWords',
] as const;
export type TextFactName = (typeof textFactNames)[number];

/** Where a fact was read that no field states. */
export interface FactRead {
  fact: TextFactName;
  from: 'title' | 'description';
  /** The fact as it is shown: `Salvage title`, `98,000 miles`. */
  value: string;
  /** The seller's words, cut short. */
  words: string;
}

/** What a source's record states about one car. null means not stated; nothing is guessed. */
export interface ListingFacts extends Partial<KindFacts> {
  externalId: string;
  title: string;
  make: string;
  model: string | null;
  year: number | null;
  /** Whole US dollars. */
  price: number | null;
  mileageMiles: number | null;
  /** Vehicle identification number, where a source states one. */
  vin?: string | null;
  /** The version of the model: `EX-L`, `Limited`. */
  trim?: string | null;
  /** What the seller wrote, as plain text of at most 10 KB. */
  description?: string | null;
  /** Those of the facts that were read in title or description. */
  factsRead?: readonly FactRead[];
  /** The words of title or description that ask for payment before the car is seen. */
  prepayment?: string | null;
  transmission: 'automatic' | 'manual' | null;
  /** A colour of the catalogue, or 'other'. */
  color: string | null;
  condition: string | null;
  city: string | null;
  /** Two letters. */
  state: string | null;
  lat: number | null;
  lng: number | null;
  images: string[];
  url: string | null;
  /** When the seller listed the car; never in the future. */
  listedAt: Date | null;
  status: ListingStatus;
}

export const rejectCodes = [
  'NO_ID',
  'NOT_A_CAR',
  'UNKNOWN_MAKE',
  'BAD_PRICE',
  'BAD_YEAR',
  'BAD_PLACE',
  'TOO_LARGE',
  'MALFORMED',
  'DUPLICATE_ID',
] as const;
export type RejectCode = (typeof rejectCodes)[number];

/** The reader that retries a quarantined record: `items` for a marketplace item, `feed` for a row of a vehicle feed. */
export type RecordReader = 'items' | 'feed';

/** A record that goes to quarantine; created by `rejected`. */
export interface Rejection {
  externalId: string | null;
  code: RejectCode;
  reason: string;
  record: string;
  /** The default is 'items'. */
  reader?: RecordReader;
  /** false: `record` is only the beginning of the record. */
  whole?: boolean;
}

export type ParsedRecord = { facts: ListingFacts } | { rejection: Rejection };

const digest = (parts: unknown[]): string => hash('sha1', JSON.stringify(parts), 'base64url');

/** Facts do not change once they are read, and the reader of a page and the store ask both for their hashes. */
const factsHashes = new WeakMap<ListingFacts, string>();

/**
 * A hash by which unchanged records are recognised. A fact that is read from some version on does not belong to it, as all
 * stored listings would then look changed: see `later-facts.ts`.
 */
export function factsHash(facts: ListingFacts): string {
  const known = factsHashes.get(facts) ?? digestFacts(facts);
  factsHashes.set(facts, known);
  return known;
}

function digestFacts(facts: ListingFacts): string {
  const inText = new Set(facts.factsRead?.map(({ fact }) => fact));
  const stated = <T>(fact: TextFactName, value: T): T | null => (inText.has(fact) ? null : value);
  const vin = stated('vin', facts.vin);
  return digest([
    facts.title,
    facts.make,
    facts.model,
    facts.year,
    facts.price,
    stated('mileage', facts.mileageMiles),
    stated('transmission', facts.transmission),
    stated('color', facts.color),
    facts.condition,
    facts.city,
    facts.state,
    facts.lat,
    facts.lng,
    facts.images,
    facts.url,
    facts.status,
    // Only if stated, so that listings without one keep the hash that is stored.
    ...(vin ? [vin] : []),
  ]);
}

const textHashes = new WeakMap<ListingFacts, string>();

/** A hash of what the seller wrote and of where facts were read in it; '' where there is neither. */
export function textHash(facts: ListingFacts): string {
  const { description, factsRead = [] } = facts;
  if (!description && factsRead.length === 0) return '';
  const known = textHashes.get(facts) ?? digest([description ?? null, factsRead]).slice(0, 16);
  textHashes.set(facts, known);
  return known;
}

/** A larger record, in bytes of UTF-8, is stored only in part. */
export const MAX_WHOLE_BYTES = 64 * 1024;
const EXCERPT_LENGTH = 8000;

/** What the quarantine stores of a record. */
export function storedRecord(record: string): { record: string; whole: boolean } {
  if (record.length <= MAX_WHOLE_BYTES && Buffer.byteLength(record) <= MAX_WHOLE_BYTES) {
    return { record, whole: true };
  }
  // A copy, as a slice would keep the whole string in memory.
  return { record: Buffer.from(record.slice(0, EXCERPT_LENGTH)).toString(), whole: false };
}

/**
 * Rejects a record. @param record a text that `reader` can read again: the JSON of an item, or of a feed's row as column
 * names and values
 */
export function rejected(
  reader: RecordReader,
  externalId: string | null,
  code: RejectCode,
  reason: string,
  record: string,
): ParsedRecord {
  return { rejection: { externalId, code, reason, reader, ...storedRecord(record) } };
}

/** Why a record is rejected that its reader failed at: the others of its page are read. */
export const unreadReason = (error: unknown): string =>
  `LotWatch could not read it: ${storableText(error instanceof Error ? error.message : String(error)).slice(0, 200)}`;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be stored
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/**
 * Replaces with U+FFFD what PostgreSQL can't store (NUL, lone surrogates) and other control characters, which may do harm
 * where they are shown. Tabs and line ends are kept.
 */
export const storableText = (text: string): string => text.toWellFormed().replace(controlCharacters, '\uFFFD');
