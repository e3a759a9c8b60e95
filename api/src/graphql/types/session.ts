import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A browser in which the user is signed in.' })
export class Session {
  @Field(() => ID, { description: 'Number of the session, for endSession; it grants no access.' })
  id!: number;

  @Field(() => String, { nullable: true, description: 'For example Chrome; null if unknown.' })
  browser!: string | null;

  @Field(() => String, { nullable: true, description: 'For example Windows; null if unknown.' })
  system!: string | null;

  @Field(() => GraphQLDateTime, { description: 'When the user signed in there.' })
  signedInAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When the session was last used, to the hour.' })
  lastUsedAt!: Date;

  @Field(() => GraphQLDateTime, {
    description: 'When the session expires: 30 days after its last use, and at most 90 days after the sign-in.',
  })
  expiresAt!: Date;

  @Field(() => Boolean, { description: "Whether this is the caller's session." })
  isCurrent!: boolean;
}
