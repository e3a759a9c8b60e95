import { makeLabel, modelLabel } from '../catalogue.ts';
import { type DecodedVin, decodeVin } from '../vin/decode-vin.ts';

/**
 * Why a buyer should look twice: a price far below its band, a photo that is shown elsewhere, words that ask for money
 * first, a VIN of another make or model, or of another model year.
 */
export const cautionKinds = ['low_price', 'photo_elsewhere', 'prepayment', 'vin_car', 'vin_year'] as const;
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
  /** Slugs. */
  make?: string | null | undefined;
  model?: string | null | undefined;
  vin?: string | null | undefined;
  /** The words that ask for payment, as `findPrepayment` returns them. */
  prepayment?: string | null | undefined;
  /** Where another listing shows the same photo, far away: 'Tampa, FL'. */
  photoPlace?: string | null | undefined;
}

/** Below this share of the band's lower end a price is far below similar cars. Measured: `docs/prices.md`. */
const FAR_BELOW = 0.7;

const COMPARE = "Compare it with the car's title.";
const oneOf = (labels: readonly string[]) => new Intl.ListFormat('en-US', { type: 'disjunction' }).format(labels);

/** The year of a VIN that is nearest to the advert's; the last one where it states none. */
const nearestYear = (years: readonly number[], year: number | null): number | undefined =>
  years.toSorted((a, b) => (year === null ? b - a : Math.abs(a - year) - Math.abs(b - year)))[0];

/** The car of a VIN as people say it: `a 2014 Ford F-150`. */
function carOf({ makes, models }: DecodedVin, isOfMake: boolean, year: number | undefined): string {
  const [make = ''] = makes;
  // The model says nothing more where the make is another one.
  const name = isOfMake ? models.map((model) => `${makeLabel(make)} ${modelLabel(make, model)}`) : makes.map(makeLabel);
  const car = [year, oneOf(name)].filter((part) => part !== undefined).join(' ');
  return `${/^[AEIOU]/.test(car) ? 'an' : 'a'} ${car}`;
}

/** What is odd about a VIN: it is of another car, or else of another model year. */
function vinCaution(vin: DecodedVin, { year = null, make = null, model = null }: CautionFacts): Caution | null {
  const vinYear = nearestYear(vin.years, year);
  const isOfMake = make === null || vin.makes.length === 0 || vin.makes.includes(make);
  const isOfModel = model === null || vin.models.length === 0 || vin.models.includes(model);
  if (make !== null && !(isOfMake && isOfModel)) {
    const stated = [year, makeLabel(make), isOfMake && model !== null ? modelLabel(make, model) : null];
    const advert = stated.filter((part) => part !== null).join(' ');
    return {
      kind: 'vin_car',
      reason: `The VIN is that of ${carOf(vin, isOfMake, vinYear)}, the advert says ${advert}. ${COMPARE}`,
    };
  }
  if (year === null || vinYear === undefined || vinYear === year) return null;
  return {
    kind: 'vin_year',
    reason: `The VIN stands for the model year ${vinYear}, the advert says ${year}. ${COMPARE}`,
  };
}

/** Why a buyer should look twice at a listing; mostly empty. */
export function cautionsOf(facts: CautionFacts, now: Date): Caution[] {
  const { price, bandLow, vin, prepayment, photoPlace } = facts;
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
  const decoded = vin == null ? null : decodeVin(vin, now);
  const ofVin = decoded && vinCaution(decoded, facts);
  if (ofVin) cautions.push(ofVin);
  return cautions;
}
