/** A fact with the words, from the first to before the last, where it stands in a text. */
export interface Found<T> {
  value: T;
  from: number;
  /** Exclusive. */
  to: number;
}

/** What is known of the car before its texts are read. */
export interface About {
  /** The words of its name and its year, beside which sellers write its color and body. */
  own: ReadonlySet<string>;
  year: number | null;
  price: number | null;
}

export type TitleStatus = 'clean' | 'salvage' | 'rebuilt' | 'lien' | 'parts_only';

/** What a seller says about the price. Amounts are whole US dollars. */
export interface PriceWords {
  /** Offers are invited: `obo`, `negotiable`. */
  obo: boolean;
  /** `firm`, `no lowball offers`. */
  firm: boolean;
  down: number | null;
  monthly: number | null;
  /** Prices of the car that differ from each other, from the lowest to the highest; one price alone is not listed. */
  prices: readonly number[];
}
