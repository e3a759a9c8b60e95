import { vinYears } from './vin-year.ts';

/** Why a buyer should look twice: a price far below its band, a photo that is shown elsewhere, words that ask for money first, a VIN of another model year. */
export const cautionKinds = ['low_price', 'photo_elsewhere', 'prepayment', 'vin_year'] as const;
export type CautionKind = (typeof cautionKinds)[number];

export interface Caution {
  kind: CautionKind;
  /** What is odd, and what to do about it; plain sentences that accuse nobody. */
  reason: string;
}

/** What cautions follow from. */
export interface CautionFacts {
  /** Whole US dollars. */
  price?: number | null | undefined;
  /** The lower end of the price band; null without one. */
  bandLow?: number | null | undefined;
  year?: number | null | undefined;
  vin?: string | null | undefined;
  /** The words that ask for payment, as `findPrepayment` returns them. */
  prepayment?: string | null | undefined;
  /** Where another listing shows the same photo, far away: 'Tampa, FL'. */
  photoPlace?: string | null | undefined;
}

/** Below this share of the band's lower end a price is far below similar cars. Measured: `docs/prices.md`. */
const FAR_BELOW = 0.7;

/** Why a buyer should look twice at a listing; mostly empty. */
export function cautionsOf({ price, bandLow, year, vin, prepayment, photoPlace }: CautionFacts, now: Date): Caution[] {
  const cautions: Caution[] = [];
  if (price != null && bandLow != null && price < bandLow * FAR_BELOW) {
    cautions.push({
      kind: 'low_price',
      reason: 'The price is far below similar cars. Ask why before you pay anything.',
    });
  }
  if (prepayment != null) {
    cautions.push({
      kind: 'prepayment',
      reason: `The advert says “${prepayment}”. See the car before you pay anything.`,
    });
  }
  if (photoPlace != null) {
    cautions.push({
      kind: 'photo_elsewhere',
      reason: `A listing in ${photoPlace} has the same photo. See the car before you pay anything.`,
    });
  }
  const years = vin == null ? [] : vinYears(vin, now);
  const [nearest] = years.toSorted((a, b) => Math.abs(a - (year ?? 0)) - Math.abs(b - (year ?? 0)));
  if (year != null && nearest !== undefined && nearest !== year) {
    cautions.push({
      kind: 'vin_year',
      reason: `The VIN stands for the model year ${nearest}, the advert says ${year}. Compare it with the car's title.`,
    });
  }
  return cautions;
}
