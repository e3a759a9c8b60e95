import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { alertFieldNames } from '../domain/forms/alert.ts';

/** What REST and webhooks show of an alert, in this order. */
export const shownAlertFields: readonly string[] = [
  'id',
  ...alertFieldNames.flatMap((name) => (name === 'location' ? [name, 'place'] : [name])),
  'isActive',
  'pausedByPlan',
  'createdAt',
  'expiresAt',
  'daysRemaining',
  'matchCount',
];

/** The column of a field: `yearMin` is stored in `year_min`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

@ObjectType({
  description: 'What a buyer is waiting for: a car, a price range and a place.',
})
@Entity({ tableName: 'alerts' })
export class Alert {
  @Field(() => ID, { description: 'Number of the alert.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Property({ type: new BigIntType('number') })
  userId!: number;

  @Field(() => String, {
    description: 'Slug of the make, as in the catalogue.',
  })
  @Property({ type: 'text' })
  make!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Slug of the model; null stands for any model of the make.',
  })
  @Property({ type: 'text', nullable: true })
  model?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Earliest model year, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  yearMin?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Latest model year, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  yearMax?: number | null;

  @Field(() => String, { description: 'The place as the buyer typed it.' })
  @Property({ type: 'text' })
  location!: string;

  @Field(() => String, {
    description: 'The place as LotWatch understood it, for example "Austin, TX".',
  })
  @Property({ type: 'text' })
  place!: string;

  @Property({ type: 'double' })
  lat!: number;

  @Property({ type: 'double' })
  lng!: number;

  @Field(() => Int, {
    description: 'Radius around the place in miles: 5, 10, 25, 50 or 100.',
  })
  @Property({ type: 'integer' })
  radius!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Lowest price in whole US dollars, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  priceMin?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Highest price in whole US dollars, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  priceMax?: number | null;

  /** null stands for any color. */
  @Property({ type: 'text', nullable: true })
  color?: string | null;

  @Field(() => Boolean, {
    description: 'Whether only listings with a photo match.',
  })
  @Property({ type: 'boolean' })
  onlyWithImages: Opt<boolean> = true;

  @Field(() => Boolean, { description: 'Whether matches are mailed.' })
  @Property({ type: 'boolean' })
  emailNotifications: Opt<boolean> = true;

  @Field(() => Boolean, {
    description: 'Whether matches are sent as text messages; needs a paid plan.',
  })
  @Property({ type: 'boolean' })
  textNotifications: Opt<boolean> = false;

  @Field(() => Boolean, { description: 'Whether the alert is watching.' })
  @Property({ type: 'boolean' })
  isActive: Opt<boolean> = true;

  /** Incremented when the criteria change; only matches of this version are shown. */
  @Property({ type: 'integer' })
  version: Opt<number> = 1;

  @Property({ type: 'boolean' })
  pendingMatch: Opt<boolean> = true;

  /** By the database's clock, like the times of listings. */
  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  backfillRequestedAt!: Opt<Date>;

  @Property({ type: 'timestamptz', nullable: true })
  lastMailedAt?: Date | null;

  @Property({ type: 'timestamptz', nullable: true })
  remindedAt?: Date | null;

  /** When a smaller plan paused the alert; null once its user has switched it. */
  @Property({ type: 'timestamptz', nullable: true })
  pausedByPlanAt?: Date | null;

  @Field(() => GraphQLDateTime, { description: 'When the alert was created.' })
  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  createdAt!: Opt<Date>;

  @Field(() => GraphQLDateTime, {
    description: 'When the alert expires unless it is renewed.',
  })
  @Property({ type: 'timestamptz', defaultRaw: "now() + interval '42 days'" })
  expiresAt!: Opt<Date>;
}
