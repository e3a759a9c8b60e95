import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
import { hideCar } from '../../alerts/dismiss-car.ts';
import { AppError } from '../../base/errors.ts';
import { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { photoPaths } from '../../domain/photo-paths.ts';
import { type PriceRating, priceRatings } from '../../domain/prices/rate-price.ts';
import { shownBand } from '../../domain/prices/shown-band.ts';
import { Listing, listingStatusNames } from '../../entities/listing.ts';
import { readRecentListingIds, sourceLabel } from '../../listings/car-offers.ts';
import { markListingViewed } from '../../listings/listing-for-buyer.ts';
import { canAdministrate, requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { andThen, type MaybePromise } from '../loaders/batch.ts';
import { parseId, readId } from '../read-arguments.ts';

@ObjectType({ description: 'An asking price, with the time it was first seen.' })
export class PricePoint {
  @Field(() => Int, { nullable: true, description: 'Price in whole US dollars; null while none was stated.' })
  price!: number | null;

  @Field(() => GraphQLDateTime, { description: 'When it was first seen.' })
  seenAt!: Date;
}

@ObjectType({ description: 'One place where a car is offered.' })
class Offer {
  @Field(() => ID, {
    nullable: true,
    description: "Number of the listing; null if it matches none of the user's alerts.",
  })
  id!: number | null;

  @Field(() => String, { description: 'Name of the source that lists it.' })
  source!: string;

  @Field(() => Int, { nullable: true, description: 'Asking price in whole US dollars.' })
  price!: number | null;

  @Field(() => String, { nullable: true, description: "The listing's own page on the marketplace." })
  url!: string | null;

  @Field(() => String, {
    description:
      "Where 'View on Marketplace' leads: the listing's own page, else the home of its source's marketplace.",
  })
  marketplaceUrl!: string;

  @Field(() => listingStatusNames, {
    description:
      "Whether the car can still be bought there. An offer that matches none of the user's alerts is included only while it can.",
  })
  status!: ListingStatus;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description:
      "When the seller listed it, or when LotWatch first saw it; null if it matches none of the user's alerts.",
  })
  createdAt!: Date | null;

  @Field(() => Boolean, { description: 'Whether this is the listing that was requested.' })
  isCurrent!: boolean;
}

const priceRatingNames = Object.fromEntries(priceRatings.map((name) => [name, name]));
registerEnumType(priceRatingNames, {
  name: 'PriceRating',
  description: 'How an asking price compares with those of cars like this one.',
  valuesConfig: {
    great: { description: 'Below the band.' },
    good: { description: 'In the lower part of the band.' },
    fair: { description: 'Near the middle of the band.' },
    high: { description: 'In the upper part of the band.' },
    overpriced: { description: 'Above the band.' },
  },
});

@ObjectType({
  description:
    "What cars like this one are offered for. The band is for this car's age, mileage, trim and state: 80 of 100 such cars are between low and high.",
})
export class PriceBand {
  @Field(() => Int, { nullable: true, description: 'A tenth of cars like this one is cheaper; whole US dollars.' })
  low!: number | null;

  @Field(() => Int, { nullable: true, description: 'The price to expect for this car; whole US dollars.' })
  middle!: number | null;

  @Field(() => Int, { nullable: true, description: 'A tenth of cars like this one is dearer; whole US dollars.' })
  high!: number | null;

  @Field(() => Int, {
    description:
      'From how many cars the band was judged: those of its make and model, at most four model years apart, of any mileage, trim and state.',
  })
  n!: number;

  @Field(() => priceRatingNames, {
    nullable: true,
    description: 'How the asking price compares; null where none is stated, or there is no band.',
  })
  rating!: PriceRating | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why there is no band: few_cars, wide_spread (their prices differ too much), no_model or no_year; null where there is one.',
  })
  reason!: string | null;
}

@Resolver(() => Listing)
export class ListingResolver {
  @Query(() => Listing, {
    nullable: true,
    description: "A listing that matches one of the user's alerts, or that they saved.",
  })
  async listing(
    @Arg('id', () => ID, { description: 'Number of the listing.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Listing | null> {
    const viewer = requireViewer(context);
    const number = readId(id);
    if (number === null) return null;
    const buyers = await context.loaders.listingsForBuyer.load(number);
    if (!canAdministrate(viewer) && !buyers?.alertIds.length && !buyers?.saved) return null;
    return (await context.loaders.listings.load(number)) ?? null;
  }

  @Query(() => [Listing], { description: 'The cars of the 50 newest matches, each car once.' })
  async recentListings(@Ctx() context: Context): Promise<Listing[]> {
    const ids = await readRecentListingIds(context.parts.pool, requireViewer(context).id);
    const listings = await Promise.all(ids.map((id) => context.loaders.listings.load(id)));
    return listings.filter((listing) => listing !== undefined);
  }

  @Mutation(() => Listing, { description: 'Records that the user has viewed a listing.' })
  async markListingViewed(
    @Arg('id', () => ID, { description: 'Number of the listing.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Listing> {
    const viewer = requireViewer(context);
    const number = parseId(id, 'Listing');
    const buyers = await context.loaders.listingsForBuyer.load(number);
    const listing = buyers?.alertIds.length ? await context.loaders.listings.load(number) : undefined;
    if (!listing) throw new AppError('NOT_FOUND', 'Listing not found');
    await markListingViewed(context.parts.pool, viewer.id, number);
    return listing;
  }

  @Mutation(() => Listing, {
    description:
      'Hides a car from all alerts of the user that have matched it, under every listing that it has or gets, or shows it again. Nothing more is sent about a hidden car.',
  })
  async hideCar(
    @Arg('id', () => ID, { description: 'Number of a listing of the car.' }) id: string,
    @Arg('hidden', () => Boolean, { description: 'Whether it is to be hidden.' }) hidden: boolean,
    @Ctx() context: Context,
  ): Promise<Listing> {
    const viewer = requireViewer(context);
    const listingId = parseId(id, 'Listing');
    await hideCar(context.em, { userId: viewer.id, listingId }, hidden);
    const listing = await context.loaders.listings.load(listingId);
    if (!listing) throw new AppError('NOT_FOUND', 'Listing not found');
    return listing;
  }

  @FieldResolver(() => [String], {
    description:
      "Paths of the photos on LotWatch, in the order of `images`. LotWatch fetches them, so that sellers don't learn who views them.",
  })
  photos(@Root() { id, images, imageUrl }: Listing, @Ctx() { parts }: Context): string[] {
    const site = { secret: parts.linkSecret, publicUrl: parts.publicUrl };
    return photoPaths(site, { id, images: images.length === 0 && imageUrl ? [imageUrl] : images });
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The vehicle identification number, for the admin; null for everybody else.',
  })
  vin(@Root() listing: Listing, @Ctx() { viewer }: Context): string | null {
    return viewer && canAdministrate(viewer) ? (listing.vin ?? null) : null;
  }

  @FieldResolver(() => String, {
    description:
      "Where 'View on Marketplace' leads: the listing's own page, else the home of its source's marketplace.",
  })
  marketplaceUrl(@Root() listing: Listing, @Ctx() { parts }: Context): MaybePromise<string> {
    return parts.marketplaceUrl(listing);
  }

  @FieldResolver(() => GraphQLDateTime, {
    description: 'When the seller listed the car, or when LotWatch first saw it if the seller did not say.',
  })
  createdAt(@Root() listing: Listing): Date {
    return listing.listedAt ?? listing.seenAt;
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: "Distance in miles to the nearest of the user's matching alerts, with one decimal.",
  })
  distance(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<number | null> {
    return andThen(loaders.listingsForBuyer.load(listing.id), (buyers) =>
      buyers === undefined || buyers.distance === null ? null : Math.round(buyers.distance * 10) / 10,
    );
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it is new to the user, as `Alert.newCount` says; what a backfill finds is not.',
  })
  isNew(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<boolean> {
    return andThen(loaders.listingsForBuyer.load(listing.id), (buyers) => buyers?.isNew ?? false);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the user has viewed it.' })
  viewed(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<boolean> {
    return andThen(loaders.listingsForBuyer.load(listing.id), (buyers) => buyers?.viewed ?? false);
  }

  @FieldResolver(() => Boolean, { description: 'Whether the user has saved it.' })
  saved(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<boolean> {
    return andThen(loaders.listingsForBuyer.load(listing.id), (buyers) => buyers?.saved ?? false);
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether an alert of the user hides the car, under every listing that it has: see `hideCar`.',
  })
  hidden(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<boolean> {
    return andThen(loaders.listingsForBuyer.load(listing.id), (buyers) => buyers?.hidden ?? false);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The user's own note about the car, under every listing that it has; nobody else reads it.",
  })
  note(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<string | null> {
    return andThen(loaders.listingNotes.load(listing.id), (note) => note ?? null);
  }

  @FieldResolver(() => [ID], {
    description: "The user's alerts that this listing, or another listing of the same car, matches; nearest first.",
  })
  alertIds(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<number[]> {
    return andThen(loaders.listingsForBuyer.load(listing.id), (buyers) => buyers?.carAlertIds ?? []);
  }

  @FieldResolver(() => ID, {
    description:
      'Number of the car, shared by all listings that are known to be the same car; otherwise the number of the listing.',
  })
  carId(@Root() listing: Listing): number {
    return listing.carId ?? listing.id;
  }

  @FieldResolver(() => [Offer], {
    description: 'All offers of the car: this listing and others of the same car; those for sale first, then by price.',
  })
  async offers(@Root() listing: Listing, @Ctx() { loaders, parts }: Context): Promise<Offer[]> {
    const offers = await loaders.offers.load(listing.id);
    return Promise.all(
      offers.map(async (offer) => ({
        ...offer,
        source: sourceLabel(offer.source),
        marketplaceUrl: await parts.marketplaceUrl(offer),
      })),
    );
  }

  @FieldResolver(() => PriceBand, {
    nullable: true,
    description: 'What cars like this one are offered for; null while LotWatch knows too few cars at all.',
  })
  priceBand(@Root() listing: Listing): PriceBand | null {
    return shownBand(listing);
  }

  @FieldResolver(() => [PricePoint], {
    description: 'The asking prices of the car at this source, including those of earlier listings, oldest first.',
  })
  priceHistory(@Root() listing: Listing, @Ctx() { loaders }: Context): MaybePromise<PricePoint[]> {
    return andThen(loaders.priceHistories.load(listing.id), (prices) => prices ?? []);
  }
}
