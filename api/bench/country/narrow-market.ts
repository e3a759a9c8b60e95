import { Dice } from '../../demo/random.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import { drawCar, type Market, makeMarket } from '../market/market.ts';
import type { Alerts } from '../rig/load-alerts.ts';

/** How far the price may be from the one that a buyer has in mind, as a share of it. */
const PRICE_SPREAD = 0.075;
const PRICE_STEP = 250;
/** Every so many alerts one has filters. */
const FILTERED_ONE_IN = 4;

/**
 * The market of `makeMarket` for buyers who know what they want: two years, a price within 7.5 % of what they have in
 * mind, and mostly a color or a mileage. This divides what an alert finds by about 46, whatever its car and place are, so
 * that the distribution is as skewed as before.
 */
export interface NarrowMarket {
  /** Alerts in their order; the same each time. */
  alerts(count: number): Alerts;
  listing(): TestListing;
}

function narrowed(dice: Dice, alert: TestAlert): TestAlert {
  const { year, price } = drawCar(dice);
  const bound = (share: number) => Math.max(PRICE_STEP, Math.round((price * share) / PRICE_STEP) * PRICE_STEP);
  return {
    ...alert,
    yearMin: year - 1,
    yearMax: year,
    priceMin: bound(1 - PRICE_SPREAD),
    priceMax: bound(1 + PRICE_SPREAD),
    mileageMax: dice.chance(0.5) ? dice.whole(6, 14) * 10_000 : null,
  };
}

export function makeNarrowMarket(seed: number): NarrowMarket {
  const market: Market = makeMarket(seed);
  return {
    alerts: (length) => ({
      length,
      *[Symbol.iterator]() {
        const own = makeMarket(seed);
        const dice = new Dice(seed, 5);
        for (let at = 0; at < length; at += 1) {
          const alert = narrowed(dice, own.alert());
          yield at % FILTERED_ONE_IN === 0 ? { ...own.filtered(alert), mileageMax: alert.mileageMax } : alert;
        }
      },
    }),
    // Without the bands of prices, which intake derives from a model that there is not.
    listing: () => ({ ...market.stated(market.listing()), bandLow: null, bandMiddle: null, bandHigh: null }),
  };
}
