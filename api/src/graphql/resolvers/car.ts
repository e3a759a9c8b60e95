import { Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root, registerEnumType } from 'type-graphql';
import { type CautionKind, cautionKinds, cautionsOf } from '../../domain/cautions/cautions.ts';
import { Listing } from '../../entities/listing.ts';
import type { Context } from '../context.ts';
import { andThen, type MaybePromise } from '../loaders/batch.ts';

const cautionKindNames = Object.fromEntries(cautionKinds.map((name) => [name, name]));
registerEnumType(cautionKindNames, {
  name: 'CautionKind',
  description: 'Why a buyer should look twice at a listing.',
  valuesConfig: {
    low_price: { description: 'The price is far below the price band.' },
    photo_elsewhere: { description: 'A listing far away has the same photo.' },
    prepayment: { description: 'The advert asks for payment before the car is seen.' },
    vin_car: { description: 'The vehicle identification number is that of another make or model.' },
    vin_year: { description: 'The vehicle identification number stands for another model year.' },
  },
});

@ObjectType({
  description: 'Why a buyer should look twice at a listing. It accuses nobody: there may be a good reason.',
})
class Caution {
  @Field(() => cautionKindNames, { description: 'Why, for programs.' })
  kind!: CautionKind;

  @Field(() => String, { description: 'Why, in sentences for people.' })
  reason!: string;
}

/** What is known of the car behind a listing. */
@Resolver(() => Listing)
export class CarResolver {
  @FieldResolver(() => Int, {
    description:
      'Whole days since the car was first listed, under any listing at any source, until today or until its last listing ended.',
  })
  daysOnMarket(@Root() { id }: Listing, @Ctx() { loaders }: Context): MaybePromise<number> {
    return andThen(loaders.marketTimes.load(id), (time) => time?.daysOnMarket ?? 0);
  }

  @FieldResolver(() => Int, {
    description:
      'How often the car was listed again: at a source that had listed it before, or anywhere after its other listings had ended.',
  })
  relists(@Root() { id }: Listing, @Ctx() { loaders }: Context): MaybePromise<number> {
    return andThen(loaders.marketTimes.load(id), (time) => time?.relists ?? 0);
  }

  @FieldResolver(() => [Caution], { description: 'Why a buyer should look twice at this listing; mostly empty.' })
  cautions(@Root() { price, bandLow, year, make, model, vin, prepayment, photoPlace }: Listing): Caution[] {
    const facts = { price, bandLow, year, make, model, vin, prepayment, photoPlace };
    return cautionsOf(facts, new Date());
  }
}
