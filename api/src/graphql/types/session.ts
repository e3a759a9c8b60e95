import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';

@ObjectType({ description: 'A browser in which the user is signed in.' })
export class Session {
  @Field(() => ID, { description: 'Number by which it can be signed out; it opens nothing.' })
  id!: number;

  @Field(() => String, { nullable: true, description: 'Like Chrome; null when the browser did not say.' })
  browser!: string | null;

  @Field(() => String, { nullable: true, description: 'Like Windows; null when the browser did not say.' })
  system!: string | null;

  @Field(() => GraphQLDateTime, { description: 'When the user signed in there.' })
  signedInAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When it was last used, to the hour.' })
  lastUsedAt!: Date;

  @Field(() => GraphQLDateTime, {
    description: 'When it ends: 30 days after its last use, and at most 90 days after the sign-in.',
  })
  expiresAt!: Date;

  @Field(() => Boolean, { description: 'Whether it is the one that asks.' })
  isCurrent!: boolean;
}
