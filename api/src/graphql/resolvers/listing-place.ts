import { Field, FieldResolver, Float, ObjectType, Resolver, Root } from 'type-graphql';
import { toHundredths } from '../../domain/places/place.ts';
import { Listing } from '../../entities/listing.ts';

@ObjectType({ description: 'The place of a listing.' })
class ReverseGeocode {
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

export function locationOf({ city, state }: Listing): ListingLocation | null {
  return city ? { reverse_geocode: { city, state: state ?? null } } : null;
}

/** Where a listing is: coordinates are shown as roughly as the map of matches shows them. */
@Resolver(() => Listing)
export class ListingPlaceResolver {
  @FieldResolver(() => ListingLocation, {
    nullable: true,
    description: 'Where the car is; null if the seller did not say.',
  })
  location(@Root() listing: Listing): ListingLocation | null {
    return locationOf(listing);
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: 'Degrees north, in hundredths: the neighborhood and not the address. Null if the seller did not say.',
  })
  latitude(@Root() { lat }: Listing): number | null {
    return lat == null ? null : toHundredths(lat);
  }

  @FieldResolver(() => Float, { nullable: true, description: 'Degrees east, in hundredths; negative in America.' })
  longitude(@Root() { lng }: Listing): number | null {
    return lng == null ? null : toHundredths(lng);
  }
}
