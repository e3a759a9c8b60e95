/** `pending` and `sold` take a listing out of matching; `gone` is one that its source no longer shows. */
export enum ListingStatus {
  forSale = 'for_sale',
  pending = 'pending',
  sold = 'sold',
  gone = 'gone',
}

/** What a source's record says about one car. null is "not stated"; nothing here is guessed. */
export interface ListingFacts {
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
  /** When the seller listed it; never in the future. */
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

/** Who can read a record that was set aside again: one marketplace item, or one row of a vehicle feed. */
export type RecordReader = 'items' | 'feed';

/** A record that is set aside; made by `rejected`. */
export interface Rejection {
  externalId: string | null;
  code: RejectCode;
  reason: string;
  record: string;
  /** 'items' where it is left out. */
  reader?: RecordReader;
  /** false: `record` is only the beginning of what came in. */
  whole?: boolean;
}

export type ParsedRecord = { facts: ListingFacts } | { rejection: Rejection };
