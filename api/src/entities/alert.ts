import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { QuietHours } from '../domain/forms/delivery.ts';
import { type FilterKind, filterValues, filterWords } from '../domain/forms/filter-values.ts';
import { EditedField, InputField } from './edited-field.ts';

export enum AlertDelivery {
  instant = 'instant',
  daily = 'daily',
}

registerEnumType(AlertDelivery, {
  name: 'AlertDelivery',
  description: 'When the messages of an alert are sent.',
  valuesConfig: {
    instant: { description: 'As soon as a car matches, at most one mail in five minutes.' },
    daily: { description: 'One digest a day, at the hour of the alert.' },
  },
});

/** 'Fuel: gas, diesel …' */
const filterDescription = (kind: FilterKind): string =>
  `${filterWords[kind]}: ${Object.keys(filterValues[kind]).join(', ')}. A car that does not state it matches.`;

@InputType('QuietHoursInput', { description: "Hours in which an alert's messages wait, in the user's time zone." })
@ObjectType('QuietHours', { description: "Hours in which an alert's messages wait, in the user's time zone." })
export class AlertQuietHours implements QuietHours {
  @Field(() => String, { description: 'When they begin, such as 22:00.' })
  from!: string;

  @Field(() => String, { description: 'When they end; the same time as the beginning is a day later.' })
  to!: string;

  @Field(() => [Int], { description: 'The days on which they begin, from 0 for Sunday to 6 for Saturday.' })
  days!: number[];
}

@ObjectType({
  description: 'What a buyer is waiting for: a car, a price range and a place.',
})
@Entity({ tableName: 'alerts' })
export class Alert {
  @Field(() => ID, { description: 'Number of the alert.' })
  @PrimaryKey({ type: new BigIntType('number'), autoincrement: true })
  id!: number;

  /** In the key, so that the ORM names it in each statement. */
  @PrimaryKey({ type: new BigIntType('number') })
  userId!: number;

  @EditedField(() => String, {
    description: 'Slug of the make, as in the catalogue.',
  })
  @Property({ type: 'text' })
  make!: string;

  @EditedField(() => String, {
    nullable: true,
    description: 'Slug of the model; null stands for any model of the make.',
    input: 'Slug of the model; if absent, any model of the make matches.',
  })
  @Property({ type: 'text', nullable: true })
  model?: string | null;

  @EditedField(() => Int, {
    nullable: true,
    description: 'Earliest model year, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  yearMin?: number | null;

  @EditedField(() => Int, {
    nullable: true,
    description: 'Latest model year, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  yearMax?: number | null;

  @EditedField(() => String, {
    description: 'The place as the buyer typed it.',
    input: 'A US city, place or ZIP code, up to 100 characters.',
  })
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

  @EditedField(() => Int, {
    description: 'Radius around the place in miles: 5, 10, 25, 50 or 100.',
  })
  @Property({ type: 'integer' })
  radius!: number;

  @EditedField(() => Int, {
    nullable: true,
    description: 'Lowest price in whole US dollars, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  priceMin?: number | null;

  @EditedField(() => Int, {
    nullable: true,
    description: 'Highest price in whole US dollars, inclusive.',
  })
  @Property({ type: 'integer', nullable: true })
  priceMax?: number | null;

  /** null stands for any color. */
  @InputField(() => String, "A color from the catalogue; 'any' means no preference.")
  @Property({ type: 'text', nullable: true })
  color?: string | null;

  @EditedField(() => Boolean, {
    description: 'Whether only listings with a photo match.',
  })
  @Property({ type: 'boolean' })
  onlyWithImages: Opt<boolean> = true;

  @EditedField(() => Int, {
    nullable: true,
    description: 'Highest mileage in miles; a car that states none does not match.',
  })
  @Property({ type: 'integer', nullable: true })
  mileageMax?: number | null;

  @EditedField(() => [String], {
    nullable: true,
    description:
      'Models that match beside `model`, up to 10: of the make as "corolla", of another make as "honda/civic". Without `model` only these match, and one of them is of the make.',
  })
  @Property({ type: 'text[]', nullable: true })
  models?: string[] | null;

  @EditedField(() => String, { nullable: true, description: filterDescription('transmission') })
  @Property({ type: 'text', nullable: true })
  transmission?: string | null;

  @EditedField(() => String, { nullable: true, description: filterDescription('fuel') })
  @Property({ type: 'text', nullable: true })
  fuel?: string | null;

  @EditedField(() => String, { nullable: true, description: filterDescription('drive') })
  @Property({ type: 'text', nullable: true })
  drive?: string | null;

  @EditedField(() => String, { nullable: true, description: filterDescription('body') })
  @Property({ type: 'text', nullable: true })
  body?: string | null;

  @EditedField(() => String, { nullable: true, description: filterDescription('titleStatus') })
  @Property({ type: 'text', nullable: true })
  titleStatus?: string | null;

  @EditedField(() => String, { nullable: true, description: filterDescription('seller') })
  @Property({ type: 'text', nullable: true })
  seller?: string | null;

  @EditedField(() => [String], {
    nullable: true,
    description: 'Words or phrases, up to 10, none of which stands in title or trim. They are stored in lower case.',
  })
  @Property({ type: 'text[]', nullable: true })
  excludeWords?: string[] | null;

  @EditedField(() => [String], {
    nullable: true,
    description: 'Words or phrases, up to 10, all of which stand in title or trim. They are stored in lower case.',
  })
  @Property({ type: 'text[]', nullable: true })
  requireWords?: string[] | null;

  @EditedField(() => Boolean, {
    nullable: true,
    description:
      'true: only cars with a stated price match; false: cars without one match too, whatever the lowest and highest price; null: they match where no price is bounded.',
  })
  @Property({ type: 'boolean', nullable: true })
  priceStated?: boolean | null;

  @EditedField(() => Boolean, {
    description:
      'Whether only cars match whose price is rated good or great. A car without a price band does not match.',
  })
  @Property({ type: 'boolean' })
  belowFairPrice: Opt<boolean> = false;

  @EditedField(() => Boolean, { description: 'Whether matches are mailed.' })
  @Property({ type: 'boolean' })
  emailNotifications: Opt<boolean> = true;

  @EditedField(() => Boolean, {
    description: 'Whether matches are sent as text messages; needs a paid plan.',
  })
  @Property({ type: 'boolean' })
  textNotifications: Opt<boolean> = false;

  @EditedField(() => Boolean, {
    description: 'Whether matches are sent to the devices that the user has turned push notifications on for.',
  })
  @Property({ type: 'boolean' })
  pushNotifications: Opt<boolean> = false;

  @EditedField(() => AlertDelivery, { description: 'Whether messages are sent at once or as a daily digest.' })
  @Property({ type: 'text' })
  delivery: Opt<string> = 'instant';

  @EditedField(() => Int, { description: "The hour of the digest, 0 to 23, in the user's time zone." })
  @Property({ type: 'integer' })
  digestHour: Opt<number> = 8;

  @EditedField(() => AlertQuietHours, {
    nullable: true,
    description: 'Hours in which messages wait, and at whose end one summary is sent.',
  })
  @Property({ type: 'json', nullable: true })
  quietHours?: QuietHours | null;

  @EditedField(() => GraphQLDateTime, {
    nullable: true,
    description: 'Until when messages wait; null: they are not snoozed.',
    input: 'Until when messages wait, at most 42 days from now; null, or a time that is over: they are not snoozed.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  snoozedUntil?: Date | null;

  @EditedField(() => Int, {
    nullable: true,
    description: 'Most mails a day, 1 to 100; the rest comes at the hour of the digest.',
  })
  @Property({ type: 'integer', nullable: true })
  maxMailsPerDay?: number | null;

  @EditedField(() => Boolean, { description: 'Whether price drops are announced, and sales of cars only viewed.' })
  @Property({ type: 'boolean' })
  priceDrops: Opt<boolean> = true;

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

  /** Whether it has had more matches than an alert keeps. Matching sets it. */
  @Property({ type: 'boolean' })
  isCapped: Opt<boolean> = false;

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
