import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { photoPaths } from '../../domain/photo-paths.ts';
import { shownBand } from '../../domain/prices/shown-band.ts';
import { Alert } from '../../entities/alert.ts';
import { type Listing, listingStatusNames } from '../../entities/listing.ts';
import { findShared, type SharedContent, withoutHidden } from '../../listings/shared-links.ts';
import { findNewestFitting } from '../../matching/newest-fitting.ts';
import type { Context } from '../context.ts';
import { PriceBand } from './listing.ts';
import { ListingLocation, locationOf } from './listing-place.ts';

/** Types of their own, so that no field of an alert or a listing that is about its owner can be reached through a link. */
@ObjectType({ description: 'What a shared alert looks for, without anything that its owner typed as free text.' })
class SharedAlert {
  @Field(() => String, { description: 'Slug of the make, as in the catalogue.' })
  make!: string;

  @Field(() => String, { nullable: true, description: 'Slug of the model, as in Alert.' })
  model!: string | null;

  @Field(() => [String], { nullable: true, description: 'Models that match beside `model`, as in Alert.' })
  models!: string[] | null;

  @Field(() => Int, { nullable: true, description: 'Earliest model year.' })
  yearMin!: number | null;

  @Field(() => Int, { nullable: true, description: 'Latest model year.' })
  yearMax!: number | null;

  @Field(() => String, { description: 'The town, such as "Reno, NV", also where the owner named a ZIP code.' })
  place!: string;

  @Field(() => Int, { description: 'Radius around the place in miles.' })
  radius!: number;

  @Field(() => Int, { nullable: true, description: 'Lowest price in whole US dollars.' })
  priceMin!: number | null;

  @Field(() => Int, { nullable: true, description: 'Highest price in whole US dollars.' })
  priceMax!: number | null;

  @Field(() => String, { description: "A color from the catalogue; 'any' means no preference." })
  color!: string;

  @Field(() => Boolean, { description: 'Whether only listings with a photo match.' })
  onlyWithImages!: boolean;

  @Field(() => Int, { nullable: true, description: 'Highest mileage in miles.' })
  mileageMax!: number | null;

  @Field(() => String, { nullable: true, description: 'As in Alert.' })
  transmission!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Alert.' })
  fuel!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Alert.' })
  drive!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Alert.' })
  body!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Alert.' })
  titleStatus!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Alert.' })
  seller!: string | null;

  @Field(() => Boolean, { nullable: true, description: 'As in Alert.' })
  priceStated!: boolean | null;

  @Field(() => Boolean, { description: 'Whether only cars match whose price is rated good or great.' })
  belowFairPrice!: boolean;

  @Field(() => Boolean, {
    description: 'Whether it also asks for words in titles, which are not shown as its owner chose them freely.',
  })
  asksForWords!: boolean;
}

@ObjectType({
  description: 'A car of a shared link, as the seller described it. What the seller did not state is null.',
})
class SharedCar {
  @Field(() => String, { description: "The seller's title." })
  title!: string;

  @Field(() => listingStatusNames, { description: 'Whether the car is for sale, pending, sold or gone.' })
  status!: ListingStatus;

  @Field(() => Int, { nullable: true, description: 'Asking price in whole US dollars.' })
  price!: number | null;

  @Field(() => String, { nullable: true, description: 'Trim, as in Listing.' })
  trim!: string | null;

  @Field(() => Int, { nullable: true, description: 'Mileage in miles.' })
  mileage!: number | null;

  @Field(() => String, { nullable: true, description: 'As in Listing.' })
  fuel!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Listing.' })
  drive!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Listing.' })
  body!: string | null;

  @Field(() => String, { nullable: true, description: 'As in Listing.' })
  titleStatus!: string | null;

  @Field(() => String, { nullable: true, description: '"automatic" or "manual".' })
  transmission!: string | null;

  @Field(() => String, { nullable: true, description: "A color from the catalogue, or 'other'." })
  color!: string | null;

  @Field(() => String, { nullable: true, description: "The seller's word for the condition, in lower case." })
  condition!: string | null;

  @Field(() => ListingLocation, { nullable: true, description: 'The town where the car is.' })
  location!: ListingLocation | null;

  @Field(() => PriceBand, { nullable: true, description: 'What cars like this one are offered for, as in Listing.' })
  priceBand!: PriceBand | null;

  @Field(() => [String], { description: 'Paths of the photos on LotWatch.' })
  photos!: string[];

  @Field(() => String, { nullable: true, description: "The listing's own page on the marketplace." })
  url!: string | null;

  @Field(() => String, {
    description:
      "Where 'View on Marketplace' leads: the listing's own page, else the home of its source's marketplace.",
  })
  marketplaceUrl!: string;

  @Field(() => GraphQLDateTime, { description: 'When the seller listed it, or when LotWatch first saw it.' })
  createdAt!: Date;
}

@ObjectType({ description: 'What a link shows, with nothing about whose it is.' })
class Shared {
  @Field(() => SharedAlert, {
    nullable: true,
    description: 'The alert whose criteria its cars fit; null for a list of cars.',
  })
  alert!: SharedAlert | null;

  @Field(() => [SharedCar], {
    description:
      'The cars: the 24 newest for sale of the last 30 days that fit the alert around the middle of its town, each car once, or up to 50 of a list. None that the owner hid.',
  })
  cars!: SharedCar[];
}

/** Of so many listings the cars of an alert are chosen. */
const LISTINGS_READ = 100;
const CARS_OF_ALERT = 24;
const DAYS = 30;

function sharedAlertOf(alert: Alert): SharedAlert {
  const { make, place, radius, onlyWithImages, belowFairPrice, excludeWords, requireWords } = alert;
  return {
    make,
    model: alert.model ?? null,
    models: alert.models ?? null,
    yearMin: alert.yearMin ?? null,
    yearMax: alert.yearMax ?? null,
    place,
    radius,
    priceMin: alert.priceMin ?? null,
    priceMax: alert.priceMax ?? null,
    color: alert.color ?? 'any',
    onlyWithImages,
    mileageMax: alert.mileageMax ?? null,
    transmission: alert.transmission ?? null,
    fuel: alert.fuel ?? null,
    drive: alert.drive ?? null,
    body: alert.body ?? null,
    titleStatus: alert.titleStatus ?? null,
    seller: alert.seller ?? null,
    priceStated: alert.priceStated ?? null,
    belowFairPrice,
    asksForWords: (excludeWords?.length ?? 0) + (requireWords?.length ?? 0) > 0,
  };
}

async function sharedCarOf(listing: Listing, { parts }: Context): Promise<SharedCar> {
  const { id, images, imageUrl } = listing;
  return {
    title: listing.title,
    status: listing.status,
    price: listing.price ?? null,
    trim: listing.trim ?? null,
    mileage: listing.mileage ?? null,
    transmission: listing.transmission ?? null,
    fuel: listing.fuel ?? null,
    drive: listing.drive ?? null,
    body: listing.body ?? null,
    titleStatus: listing.titleStatus ?? null,
    color: listing.color ?? null,
    condition: listing.condition ?? null,
    location: locationOf(listing),
    priceBand: shownBand(listing),
    photos: photoPaths(
      { secret: parts.linkSecret, publicUrl: parts.publicUrl },
      { id, images: images.length === 0 && imageUrl ? [imageUrl] : images },
    ),
    url: listing.url ?? null,
    marketplaceUrl: await parts.marketplaceUrl(listing),
    createdAt: listing.listedAt ?? listing.seenAt,
  };
}

/** Each car once, by its newest offer. */
function eachCarOnce(listings: readonly Listing[]): Listing[] {
  const cars = new Map<number, Listing>();
  for (const listing of listings) {
    const car = listing.carId ?? listing.id;
    if (!cars.has(car)) cars.set(car, listing);
  }
  return [...cars.values()];
}

async function loadListings(ids: readonly number[], { loaders }: Context): Promise<Listing[]> {
  const listings = await Promise.all(ids.map((id) => loaders.listings.load(id)));
  return listings.filter((listing) => listing !== undefined);
}

/**
 * The cars of an alert: what one made of the shown criteria would find. Its own matches are those within the radius of the
 * exact point, so that a few of them would tell where in the town its owner is.
 */
async function readCarsOf(alert: Alert, context: Context): Promise<Listing[]> {
  const { whileAwaited, gazetteer } = context.parts;
  const town = gazetteer.resolve(alert.place);
  if (!town) return [];
  const criteria = { ...alert, lat: town.lat, lng: town.lng };
  const ids = await whileAwaited(context.gone, async (db) =>
    withoutHidden(db, alert.userId, await findNewestFitting(db, criteria, { days: DAYS, limit: LISTINGS_READ })),
  );
  return eachCarOnce(await loadListings(ids, context)).slice(0, CARS_OF_ALERT);
}

async function readContent({ userId, alertId, listingIds }: SharedContent, context: Context): Promise<Shared | null> {
  const show = (listings: readonly Listing[]) => Promise.all(listings.map((listing) => sharedCarOf(listing, context)));
  if (alertId === null) {
    const ids = await context.parts.whileAwaited(context.gone, (db) => withoutHidden(db, userId, listingIds));
    return { alert: null, cars: await show(await loadListings(ids, context)) };
  }
  const alert = await context.em.findOne(Alert, { id: alertId, userId });
  return alert && { alert: sharedAlertOf(alert), cars: await show(await readCarsOf(alert, context)) };
}

@Resolver()
export class SharedResolver {
  @Query(() => Shared, {
    nullable: true,
    description:
      'What a shared link shows to anybody. null, without a difference, for one that never was, was ended or has expired.',
  })
  async shared(
    @Arg('token', () => String, { description: 'The end of the address, after /shared/.' }) token: string,
    @Ctx() context: Context,
  ): Promise<Shared | null> {
    const content = await findShared(context.parts.pool, token);
    return content && readContent(content, context);
  }
}
