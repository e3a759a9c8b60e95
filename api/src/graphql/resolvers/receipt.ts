import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'When each step of one match happened.' })
export class Receipt {
  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the seller listed the car; null if not stated.' })
  listedAt!: Date | null;

  @Field(() => GraphQLDateTime, { description: 'When LotWatch first saw the listing.' })
  seenAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When the listing was matched.' })
  matchedAt!: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When its message was passed to the provider.' })
  handedOverAt!: Date | null;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description:
      'When the provider reported that its message arrived, or a push service accepted it; null until then, or where no provider reports it.',
  })
  deliveredAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The channel of deliveredAt: "email", "sms" or "push". A push service does not report whether a device got the message.',
  })
  deliveredBy!: string | null;
}
