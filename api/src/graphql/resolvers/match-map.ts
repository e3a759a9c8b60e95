import { Arg, Ctx, Field, Float, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { AppError } from '../../base/errors.ts';
import type { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { shownMiles, toHundredths } from '../../domain/places/place.ts';
import { listingStatusNames } from '../../entities/listing.ts';
import type { ListFilter } from '../../listings/list-choice.ts';
import { MAX_POINTS, readMatchPoints } from '../../listings/match-map.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { filterNames, readListFilters } from '../inputs/list-choice.ts';
import { parseId } from '../read-arguments.ts';

@ObjectType({ description: 'A matching listing on a map.' })
class MapPoint {
  @Field(() => ID, { description: 'Number of the listing.' })
  listingId!: number;

  @Field(() => ID, { description: 'Number of the car, shared by all of its listings.' })
  carId!: number;

  @Field(() => String, { description: "The seller's title." })
  title!: string;

  @Field(() => Int, { nullable: true, description: 'Asking price in whole US dollars.' })
  price!: number | null;

  @Field(() => listingStatusNames, { description: 'Whether the car can still be bought.' })
  status!: ListingStatus;

  @Field(() => String, { nullable: true, description: "The listing's own page on the marketplace." })
  url!: string | null;

  @Field(() => String, {
    description:
      "Where 'View on Marketplace' leads: the listing's own page, else the home of its source's marketplace.",
  })
  marketplaceUrl!: string;

  @Field(() => String, { nullable: true, description: 'Where the car is, such as "Pasadena, CA".' })
  place!: string | null;

  @Field(() => Float, { description: "Distance in miles to the alert's place, with one decimal." })
  distance!: number;

  @Field(() => Float, { description: 'Degrees north, in hundredths: the neighborhood and not the address.' })
  latitude!: number;

  @Field(() => Float, { description: 'Degrees east, in hundredths; negative in America.' })
  longitude!: number;
}

@ObjectType({ description: "An alert's place and matches, for a map." })
class MatchMap {
  @Field(() => Float, { description: "The alert's place: degrees north." })
  latitude!: number;

  @Field(() => Float, { description: "The alert's place: degrees east; negative in America." })
  longitude!: number;

  @Field(() => [MapPoint], {
    description: `The newest matches, up to ${MAX_POINTS}; those without a place are left out.`,
  })
  points!: MapPoint[];
}

@Resolver()
export class MatchMapResolver {
  @Query(() => MatchMap, { description: "Where the matches of one of the user's alerts are." })
  async matchMap(
    @Arg('alertId', () => ID, { description: 'Number of the alert.' }) alertId: string,
    @Arg('only', () => [filterNames], {
      nullable: true,
      description: 'Only cars to which all of these apply, as in the list of the matches.',
    })
    only: ListFilter[] | null | undefined,
    @Ctx() { parts, loaders, ...context }: Context,
  ): Promise<MatchMap> {
    const viewer = requireViewer(context);
    const alert = await loaders.alerts.load(parseId(alertId, 'Alert'));
    if (!alert) throw new AppError('NOT_FOUND', 'Alert not found');
    const rows = await parts.whileAwaited(context.gone, (db) =>
      readMatchPoints(db, { userId: viewer.id, alertId: alert.id }, readListFilters(only)),
    );
    const points = await Promise.all(
      rows.map(async ({ source, city, state, lat, lng, ...point }) => ({
        ...point,
        marketplaceUrl: await parts.marketplaceUrl({ source, url: point.url }),
        place: [city, state].filter(Boolean).join(', ') || null,
        distance: shownMiles(alert, { lat, lng }),
        latitude: toHundredths(lat),
        longitude: toHundredths(lng),
      })),
    );
    return { latitude: alert.lat, longitude: alert.lng, points };
  }
}
