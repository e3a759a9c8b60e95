import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { AppError } from '../../base/errors.ts';
import type { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { type BandPoint, bandLine } from '../../domain/prices/band-line.ts';
import { type Listing, listingStatusNames } from '../../entities/listing.ts';
import { type CarListing, MAX_LISTINGS, MAX_PRICES, readCarHistory } from '../../listings/car-history.ts';
import { type ComparableCar, MAX_COMPARABLE, readComparableCars } from '../../listings/comparable-cars.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { parseId, readPageSize } from '../read-arguments.ts';
import { PricePoint } from './listing.ts';

@ObjectType('CarListing', { description: 'One listing of a car, which may have ended.' })
class CarListingType {
  @Field(() => String, { description: 'Name of the source that lists it.' })
  source!: string;

  @Field(() => listingStatusNames, { description: 'Whether the car can still be bought there.' })
  status!: ListingStatus;

  @Field(() => String, { nullable: true, description: "The listing's own page, while its source shows it." })
  url!: string | null;

  @Field(() => Int, { nullable: true, description: 'The last asking price in whole US dollars.' })
  price!: number | null;

  @Field(() => GraphQLDateTime, { description: 'When the seller listed it, or when LotWatch first saw it.' })
  listedAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When LotWatch last saw it.' })
  lastSeenAt!: Date;

  @Field(() => Boolean, { description: 'Whether this is the listing that was requested.' })
  isCurrent!: boolean;

  @Field(() => [PricePoint], { description: `Its asking prices, oldest first; at most the newest ${MAX_PRICES}.` })
  prices!: PricePoint[];
}

@ObjectType('ComparableCar', { description: 'A car that a price is compared with.' })
class ComparableCarType {
  @Field(() => String, { description: "The seller's title." })
  title!: string;

  @Field(() => Int, { description: 'Asking price in whole US dollars.' })
  price!: number;

  @Field(() => Int, { description: 'Mileage in miles.' })
  mileage!: number;

  @Field(() => Int, { description: 'Model year.' })
  year!: number;
}

@ObjectType('BandPoint', { description: 'The price band of a car at one mileage, all else being equal.' })
class BandPointType {
  @Field(() => Int, { description: 'Mileage in miles.' })
  mileage!: number;

  @Field(() => Int, { description: 'A tenth of such cars is cheaper; whole US dollars.' })
  low!: number;

  @Field(() => Int, { description: 'The price to expect; whole US dollars.' })
  middle!: number;

  @Field(() => Int, { description: 'A tenth of such cars is dearer; whole US dollars.' })
  high!: number;
}

@ObjectType({ description: "The cars that a listing's price is compared with, and its band over the mileage." })
class ComparableCars {
  @Field(() => Int, { description: 'From how many cars the band was judged, as in PriceBand.' })
  n!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Why there is no band, as in PriceBand; then there are no points. null where there is one.',
  })
  reason!: string | null;

  @Field(() => [ComparableCarType], {
    description:
      'The newest comparable cars of the last 180 days that state price and mileage, each car once, without this one.',
  })
  points!: ComparableCar[];

  @Field(() => [BandPointType], { description: 'The band of this car at growing mileages.' })
  band!: BandPoint[];
}

/** The listing, if the viewer may see it: it matches an alert of theirs, or is saved. @throws AppError NOT_FOUND */
export async function readVisibleListing(id: string, context: Context): Promise<Listing> {
  requireViewer(context);
  const number = parseId(id, 'Listing');
  const buyers = await context.loaders.listingsForBuyer.load(number);
  const isVisible = buyers?.saved || (buyers?.alertIds.length ?? 0) > 0;
  const listing = isVisible ? await context.loaders.listings.load(number) : undefined;
  if (!listing) throw new AppError('NOT_FOUND', 'Listing not found');
  return listing;
}

/** The band that the listing has, where the model in force gives none: another one was fitted a moment ago. */
function storedBand({ bandLow, bandMiddle, bandHigh }: Listing, farthest: number): BandPoint[] {
  const band = { low: bandLow ?? 0, middle: bandMiddle ?? 0, high: bandHigh ?? 0 };
  return [0, farthest].map((mileage) => ({ mileage, ...band }));
}

/** A listing's price beside those of other cars, and beside those that its own car had. */
@Resolver()
export class ComparisonResolver {
  @Query(() => ComparableCars, {
    description:
      "The cars that the price of a listing is compared with. The listing matches one of the user's alerts, or is saved.",
  })
  async comparableCars(
    @Arg('listingId', () => ID, { description: 'Number of the listing.' }) id: string,
    @Arg('first', () => Int, {
      nullable: true,
      description: `How many cars at most, 1 to ${MAX_COMPARABLE}, which is also the default.`,
    })
    first: number | null | undefined,
    @Ctx() context: Context,
  ): Promise<ComparableCars> {
    const most = readPageSize(first, MAX_COMPARABLE, MAX_COMPARABLE);
    const listing = await readVisibleListing(id, context);
    const { make, model = null, year = null, mileage = null, state = null, title } = listing;
    const n = listing.bandCars ?? 0;
    if (listing.bandMiddle == null) {
      return { n, reason: listing.bandRefusal ?? 'few_cars', points: [], band: [] };
    }
    const [points, prices] = await Promise.all([
      readComparableCars(context.parts.pool, listing, most),
      context.parts.prices(),
    ]);
    const farthest = Math.max(mileage ?? 0, ...points.map((point) => point.mileage));
    const line = prices ? bandLine(prices, { make, model, year, mileage, state, title }, farthest) : [];
    return { n, reason: null, points, band: line.length > 0 ? line : storedBand(listing, farthest) };
  }

  @Query(() => [CarListingType], {
    description: `All listings of a listing's car at all sources with their prices, also those that have ended; the one that was listed first comes first, at most the newest ${MAX_LISTINGS}. The listing matches one of the user's alerts, or is saved.`,
  })
  async carHistory(
    @Arg('listingId', () => ID, { description: 'Number of a listing of the car.' }) id: string,
    @Ctx() context: Context,
  ): Promise<CarListing[]> {
    const listing = await readVisibleListing(id, context);
    return readCarHistory(context.parts.pool, listing.id);
  }
}
