import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The place that a listing names.' })
export class ReverseGeocode {
  @Field(() => String, { description: 'City.' })
  city!: string;

  @Field(() => String, { nullable: true, description: 'State, two letters.' })
  state!: string | null;
}

@ObjectType({ description: 'Where the car stands, shaped as the marketplace shapes it.' })
export class ListingLocation {
  @Field(() => ReverseGeocode, { description: 'The place.' })
  reverse_geocode!: ReverseGeocode;
}

@ObjectType({ description: 'An asking price and when it was first seen.' })
export class PriceChange {
  @Field(() => Int, { nullable: true, description: 'Whole US dollars; null while none was stated.' })
  price!: number | null;

  @Field(() => GraphQLDateTime, { description: 'When it was first seen.' })
  seenAt!: Date;
}
