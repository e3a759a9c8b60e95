import { Field, ID, InputType, Int } from 'type-graphql';

const text = {
  make: 'Slug of the make, as in the catalogue.',
  model: 'Slug of the model; if absent, any model of the make matches.',
  yearMin: 'Earliest model year, inclusive.',
  yearMax: 'Latest model year, inclusive.',
  location: 'A US city, place or ZIP code, up to 100 characters.',
  radius: 'Radius around the place in miles: 5, 10, 25, 50 or 100.',
  priceMin: 'Lowest price in whole US dollars, inclusive.',
  priceMax: 'Highest price in whole US dollars, inclusive.',
  color: "A color from the catalogue; 'any' means no preference.",
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

@InputType({ description: 'A new alert. An absent bound means no limit.' })
export class AlertInput extends OptionalCriteria {
  @Field(() => String, { description: text.make })
  make!: string;

  @Field(() => String, { description: text.location })
  location!: string;

  @Field(() => Int, { description: text.radius })
  radius!: number;
}

@InputType({ description: 'Changes to an alert. Absent fields stay as they are; null clears a field.' })
export class AlertPatch extends OptionalCriteria {
  @Field(() => String, { nullable: true, description: text.make })
  make?: string | null;

  @Field(() => String, { nullable: true, description: text.location })
  location?: string | null;

  @Field(() => Int, { nullable: true, description: text.radius })
  radius?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the alert is watching. Turning an expired alert on renews it.',
  })
  isActive?: boolean | null;
}

@InputType({ description: 'Changes to one of several alerts. Absent fields stay as they are; null clears a field.' })
export class AlertChange extends AlertPatch {
  @Field(() => ID, { description: 'Number of the alert.' })
  id!: string;
}
