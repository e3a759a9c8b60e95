/** What a wish can ask for: fields of an alert. null values don't occur: what isn't asked is absent. */
export interface WishFields {
  /** Slug; absent when cars of several makes are named. */
  make?: string;
  /** Slugs of the make's models; of several makes as `honda/civic`. */
  models?: string[];
  yearMin?: number;
  yearMax?: number;
  /** Whole US dollars. */
  priceMin?: number;
  priceMax?: number;
  mileageMax?: number;
  /** As the form takes it, with the state only if it was stated. */
  location?: string;
  /** In miles: 5, 10, 25, 50 or 100. */
  radius?: number;
  color?: string;
  onlyWithImages?: boolean;
  transmission?: string;
  fuel?: string;
  drive?: string;
  body?: string;
  titleStatus?: string;
  excludeWords?: string[];
  requireWords?: string[];
  priceStated?: boolean;
  belowFairPrice?: boolean;
}

/** Why a part of a wish fills no field. */
export type Refusal =
  | 'unread'
  /** A number that may be a price, a year or a mileage. */
  | 'unclear'
  /** A number that is only about right. */
  | 'vague'
  /** Something that is not wanted, where an alert can't ask for that. */
  | 'unwanted'
  | 'one make'
  | 'one color'
  | 'one choice'
  | 'one place'
  /** A place is named that is wider than a town. */
  | 'region'
  | 'too far'
  | 'no minimum'
  /** Another value for a field that has one. */
  | 'second value'
  | 'unknown model';

/** What was read from a part of a wish, with the words it was read from. */
export interface Understood {
  fields: WishFields;
  text: string;
}

/** A part of a wish that fills no field, and why. */
export interface NotUnderstood {
  text: string;
  reason: Refusal;
}

export interface Wish {
  fields: WishFields;
  understood: Understood[];
  notUnderstood: NotUnderstood[];
}

/** A part of a wish, from word `start` to before word `end`. */
export type Part = { start: number; end: number } & (
  | {
      kind: 'value';
      fields: WishFields;
      /** Another value for the same field is preferred, wherever it stands. */
      isUncertain?: boolean;
    }
  | { kind: 'car'; make: string; model: string | null; isWeak: boolean }
  /** A number without a unit: a price or a mileage. */
  | { kind: 'bare'; min?: number; max?: number }
  | { kind: 'refused'; reason: Refusal /** What is not wanted is a value of this field. */; field?: keyof WishFields }
  /** Words that ask for nothing. */
  | { kind: 'filler' }
);

/** What begins at a word, and where the reading goes on; null if the reader finds nothing there. */
export type Step = { end: number; parts: Part[] } | null;
