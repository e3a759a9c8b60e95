import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { listingStatusNames } from '../../entities/listing.ts';

@ObjectType({ description: 'The place of a listing.' })
export class ReverseGeocode {
  @Field(() => String, { description: 'City.' })
  city!: string;

  @Field(() => String, { nullable: true, description: 'State, two letters.' })
  state!: string | null;
}

@ObjectType({ description: "Where the car is, in the marketplace's own structure." })
export class ListingLocation {
  @Field(() => ReverseGeocode, { description: 'The place.' })
  reverse_geocode!: ReverseGeocode;
}

@ObjectType({ description: 'An asking price, with the time it was first seen.' })
export class PricePoint {
  @Field(() => Int, { nullable: true, description: 'Price in whole US dollars; null while none was stated.' })
  price!: number | null;

  @Field(() => GraphQLDateTime, { description: 'When it was first seen.' })
  seenAt!: Date;
}

@ObjectType({ description: 'One place where a car is offered.' })
export class Offer {
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
