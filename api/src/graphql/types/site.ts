import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Float, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'Public facts about this installation.' })
export class Site {
  @Field(() => Boolean, { description: 'Whether mails and payments stay on this machine.' })
  testMode!: boolean;

  @Field(() => Boolean, { description: 'Whether an e-mail address must be confirmed before anything is sent to it.' })
  confirmEmail!: boolean;

  @Field(() => String, { description: 'The address for support.' })
  supportEmail!: string;

  @Field(() => String, { description: 'Home page of the marketplace, for listings without an address of their own.' })
  marketplaceHome!: string;

  @Field(() => Int, { description: 'Cars seen in the last hour.' })
  carsSeenLastHour!: number;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When a source was last read.' })
  lastCheckedAt!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Median seconds from first seeing a listing to sending its mail, over the last day.',
  })
  medianSecondsToMail!: number | null;

  @Field(() => Int, { description: 'Seconds between two polls of a source.' })
  checkEverySeconds!: number;
}
