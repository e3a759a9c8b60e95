import { Field, ID, InputType, Int } from 'type-graphql';

const text = {
  make: 'Slug of the make, as in the catalogue.',
  model: 'Slug of the model; without it any model of the make.',
  yearMin: 'First model year, included.',
  yearMax: 'Last model year, included.',
  location: 'A US city, place or ZIP code, up to 100 characters.',
  radius: 'Radius around the place in miles: 5, 10, 25, 50 or 100.',
  priceMin: 'Lowest price in whole US dollars, included.',
  priceMax: 'Highest price in whole US dollars, included.',
  color: "A color of the catalogue; 'any' is no color asked.",
  onlyWithImages: 'Whether only listings with a photo match.',
  emailNotifications: 'Whether matches are mailed.',
  textNotifications: 'Whether matches are sent as text messages; needs a paid plan.',
};

@InputType({ description: 'What both inputs take as optional.' })
abstract class OptionalCriteria {
  @Field(() => String, { nullable: true, description: text.model })
  model?: string | null;

  @Field(() => Int, { nullable: true, description: text.yearMin })
  yearMin?: number | null;

  @Field(() => Int, { nullable: true, description: text.yearMax })
  yearMax?: number | null;

  @Field(() => Int, { nullable: true, description: text.priceMin })
  priceMin?: number | null;

  @Field(() => Int, { nullable: true, description: text.priceMax })
  priceMax?: number | null;

  @Field(() => String, { nullable: true, description: text.color })
  color?: string | null;

  @Field(() => Boolean, { nullable: true, description: text.onlyWithImages })
  onlyWithImages?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: text.emailNotifications })
  emailNotifications?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: text.textNotifications })
  textNotifications?: boolean | null;
}

@InputType({ description: 'A new alert. A bound that is left out is no bound.' })
export class AlertInput extends OptionalCriteria {
  @Field(() => String, { description: text.make })
  make!: string;

  @Field(() => String, { description: text.location })
  location!: string;

  @Field(() => Int, { description: text.radius })
  radius!: number;
}

@InputType({ description: 'Changes of an alert: what is absent stays, null clears.' })
export class AlertPatch extends OptionalCriteria {
  @Field(() => String, { nullable: true, description: text.make })
  make?: string | null;

  @Field(() => String, { nullable: true, description: text.location })
  location?: string | null;

  @Field(() => Int, { nullable: true, description: text.radius })
  radius?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the alert watches; on renews an expired one.' })
  isActive?: boolean | null;
}

@InputType({ description: 'One of many alerts to change: what is absent stays, null clears.' })
export class AlertChange extends AlertPatch {
  @Field(() => ID, { description: 'Number of the alert.' })
  id!: string;
}
