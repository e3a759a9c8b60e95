import { makeGazetteer } from '../../src/domain/places/places.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import { oracleFits } from '../../test/matching/match-world.ts';
import { type Answered, inputOf } from './typing.ts';

/** The alert with the one change that a near miss is about. */
function widened(alert: TestAlert, { field, to }: Answered['nearMisses'][number]): TestAlert {
  switch (field) {
    case 'model':
      return { ...alert, model: null };
    case 'models':
      return { ...alert, models: null };
    case 'color':
      return { ...alert, color: null };
    case 'onlyWithImages':
      return { ...alert, onlyWithImages: false };
    case 'noPrice':
      return { ...alert, priceStated: false };
    case 'filters': {
      const { transmission, fuel, drive, body, titleStatus, seller, ...rest } = alert;
      return { ...rest, excludeWords: null, requireWords: null, belowFairPrice: false };
    }
    default:
      return { ...alert, [field]: Number(to) };
  }
}

/** Compares counts and near misses with the sender's facts. @returns how many of each differ */
export function checkPreviews(
  previews: readonly (Answered & { alert: TestAlert })[],
  listings: readonly TestListing[],
): { wrongCounts: number; nearMisses: number; wrongNearMisses: number } {
  const gazetteer = makeGazetteer();
  const byMake = Map.groupBy(listings, ({ make }) => make);
  const count = (alert: TestAlert) => (byMake.get(alert.make) ?? []).filter((one) => oracleFits(alert, one)).length;
  const found = { wrongCounts: 0, nearMisses: 0, wrongNearMisses: 0 };
  for (const { alert, matchCount, nearMisses } of previews) {
    const place = gazetteer.resolve(String(inputOf(alert).location));
    const asked = { ...alert, lat: place?.lat ?? 0, lng: place?.lng ?? 0 };
    const fitting = count(asked);
    if (matchCount !== fitting) found.wrongCounts += 1;
    found.nearMisses += nearMisses.length;
    found.wrongNearMisses += nearMisses.filter((one) => count(widened(asked, one)) - fitting !== one.more).length;
  }
  return found;
}
