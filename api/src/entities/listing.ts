import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import type { BandRefusal } from '../domain/prices/rate-price.ts';

/** The names of the values in GraphQL, which are those of the database. */
export const listingStatusNames = {
  for_sale: ListingStatus.forSale,
  pending: ListingStatus.pending,
  sold: ListingStatus.sold,
  gone: ListingStatus.gone,
};
registerEnumType(listingStatusNames, {
  name: 'ListingStatus',
  description: 'Whether the car can still be bought.',
  valuesConfig: {
    for_sale: { description: 'The car can be bought.' },
    pending: { description: 'A sale is under way.' },
    sold: { description: 'The car is sold.' },
    gone: { description: 'The source no longer shows the listing.' },
  },
});

/** The columns that are read as an entity; intake writes the table with SQL. */
@ObjectType({
  description: 'A car for sale, as the seller described it. What the seller did not state is null.',
})
@Entity({ tableName: 'listings' })
export class Listing {
  @Field(() => ID, { description: 'Number of the listing.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Property({ type: 'text' })
  source!: string;

  @Property({ type: 'text' })
  externalId!: string;

  @Property({ type: new BigIntType('number'), nullable: true })
  carId?: number | null;

  @Field(() => listingStatusNames, {
    description: 'Whether the car is for sale, pending, sold or gone.',
  })
  @Property({ type: 'text' })
  status!: ListingStatus;

  @Field(() => String, { description: "The seller's title." })
  @Property({ type: 'text' })
  title!: string;

  @Field(() => String, {
    description: 'Slug of the make, as in the catalogue.',
  })
  @Property({ type: 'text' })
  make!: string;

  @Field(() => String, { nullable: true, description: 'Slug of the model.' })
  @Property({ type: 'text', nullable: true })
  model?: string | null;

  @Field(() => Int, { nullable: true, description: 'Model year.' })
  @Property({ type: 'smallint', nullable: true })
  year?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Asking price in whole US dollars.',
  })
  @Property({ type: 'integer', nullable: true })
  price?: number | null;

  @Field(() => String, { nullable: true, description: 'Trim: "EX-L", "Limited".' })
  @Property({ type: 'text', nullable: true })
  trim?: string | null;

  @Field(() => Int, { nullable: true, description: 'Mileage in miles.' })
  @Property({ type: 'integer', nullable: true })
  mileage?: number | null;

  @Field(() => String, {
    nullable: true,
    description: '"automatic" or "manual".',
  })
  @Property({ type: 'text', nullable: true })
  transmission?: string | null;

  @Field(() => String, { nullable: true, description: 'Fuel: gas, diesel, hybrid, plug_in_hybrid, electric or other.' })
  @Property({ type: 'text', nullable: true })
  fuel?: string | null;

  @Field(() => String, { nullable: true, description: 'Driven wheels: awd, 4wd, fwd, rwd, 2wd or other.' })
  @Property({ type: 'text', nullable: true })
  drive?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Body: sedan, suv, truck, coupe, hatchback, wagon, van, convertible or other.',
  })
  @Property({ type: 'text', nullable: true })
  body?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Status of the car's title: clean, salvage, rebuilt, lien, parts_only or other.",
  })
  @Property({ type: 'text', nullable: true })
  titleStatus?: string | null;

  @Field(() => String, { nullable: true, description: 'Who sells: private or dealer.' })
  @Property({ type: 'text', nullable: true })
  seller?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "A color from the catalogue, or 'other'.",
  })
  @Property({ type: 'text', nullable: true })
  color?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The seller's word for the condition, in lower case.",
  })
  @Property({ type: 'text', nullable: true })
  condition?: string | null;

  @Property({ type: 'text', nullable: true })
  city?: string | null;

  @Property({ type: 'text', nullable: true })
  state?: string | null;

  @Property({ type: 'double', nullable: true })
  lat?: number | null;

  @Property({ type: 'double', nullable: true })
  lng?: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address of the first photo.',
  })
  @Property({ type: 'text', nullable: true })
  imageUrl?: string | null;

  @Field(() => [String], {
    description: 'Addresses of all photos, including the first.',
  })
  @Property({ type: 'text[]' })
  images!: string[];

  @Field(() => String, {
    nullable: true,
    description: "The listing's own page on the marketplace.",
  })
  @Property({ type: 'text', nullable: true })
  url?: string | null;

  @Property({ type: 'timestamptz', nullable: true })
  listedAt?: Date | null;

  @Property({ type: 'timestamptz' })
  seenAt!: Opt<Date>;

  @Property({ type: 'text', nullable: true })
  vin?: string | null;

  @Property({ type: 'text', nullable: true })
  prepayment?: string | null;

  @Property({ type: 'text', nullable: true })
  photoPlace?: string | null;

  @Property({ type: 'integer', nullable: true })
  bandLow?: number | null;

  @Property({ type: 'integer', nullable: true })
  bandMiddle?: number | null;

  @Property({ type: 'integer', nullable: true })
  bandHigh?: number | null;

  @Property({ type: 'integer', nullable: true })
  bandCars?: number | null;

  @Property({ type: 'text', nullable: true })
  bandRefusal?: BandRefusal | null;
}
