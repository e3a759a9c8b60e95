import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Criterion, type Verdict as CriterionVerdict, VerdictKind } from '../../domain/criteria/criteria.ts';

registerEnumType(Criterion, {
  name: 'Criterion',
  description: 'What an alert can ask for.',
  valuesConfig: {
    make: { description: 'The make.' },
    model: { description: 'The model.' },
    year: { description: 'The model year.' },
    price: { description: 'The asking price.' },
    color: { description: 'The color.' },
    image: { description: 'A photo.' },
    distance: { description: "The distance from the alert's place." },
    mileage: { description: 'The mileage.' },
    transmission: { description: 'The transmission.' },
    fuel: { description: 'The fuel.' },
    drive: { description: 'The driven wheels.' },
    body: { description: 'The body.' },
    titleStatus: { description: "The status of the car's title." },
    seller: { description: 'Who sells.' },
    excludeWords: { description: 'Words that must not stand in title or trim.' },
    requireWords: { description: 'Words that must stand in title or trim.' },
    belowFairPrice: { description: 'A price below the fair one.' },
  },
});

registerEnumType(VerdictKind, {
  name: 'VerdictKind',
  description: 'Whether a listing meets one criterion of an alert.',
  valuesConfig: {
    met: { description: 'The listing meets the criterion, or the alert asks for nothing.' },
    not_stated: { description: 'The seller did not say.' },
    not_met: { description: 'The listing does not meet the criterion.' },
  },
});

@ObjectType({ description: 'How a listing meets one criterion: what the alert asks and what the listing says.' })
export class Verdict implements CriterionVerdict {
  @Field(() => Criterion, { description: 'The criterion.' })
  criterion!: Criterion;

  @Field(() => VerdictKind, { description: 'Whether the listing meets the criterion.' })
  verdict!: VerdictKind;

  @Field(() => String, {
    nullable: true,
    description: 'What the alert asks for, in words; null if it asks for nothing.',
  })
  asked!: string | null;

  @Field(() => String, { nullable: true, description: 'What the listing says, in words; null if it says nothing.' })
  found!: string | null;
}
