import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What everyone may know about this installation.' })
export class Site {
  @Field(() => Boolean, { description: 'Whether mails and payments stay on this machine.' })
  testMode!: boolean;

  @Field(() => Boolean, { description: 'Whether addresses must be confirmed before anything is mailed.' })
  confirmEmail!: boolean;

  @Field(() => String, { description: 'Where people reach us.' })
  supportEmail!: string;

  @Field(() => String, { description: 'Home page of the marketplace, for listings without an address of their own.' })
  marketplaceHome!: string;

  @Field(() => Int, { description: 'Cars seen in the last hour.' })
  carsSeenLastHour!: number;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When a source was last read.' })
  lastCheckedAt!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Median seconds from seeing a listing to handing its mail over, over the last day.',
  })
  medianSecondsToMail!: number | null;

  @Field(() => Int, { description: 'Seconds between two looks at a source.' })
  checkEverySeconds!: number;
}
