import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { endSessions, listSessions, type ShownSession, signOutDevice } from '../../accounts/sessions/sessions.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { parseId } from '../read-arguments.ts';

@ObjectType({ description: 'A browser in which the user is signed in.' })
class Session {
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

@Resolver()
export class SessionResolver {
  @Query(() => [Session], {
    description: "The user's sessions: the caller's first, then the most recently used.",
  })
  sessions(@Ctx() context: Context): Promise<ShownSession[]> {
    return listSessions(context.em, requireViewer(context));
  }

  @Mutation(() => ID, {
    description: "Ends one of the user's sessions, and its live connections within a second. Returns its number.",
  })
  endSession(
    @Arg('id', () => ID, { description: 'Number of the session.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return signOutDevice(context.em, requireViewer(context), parseId(id, 'Session'));
  }

  @Mutation(() => Int, {
    description: "Ends all of the user's sessions except the caller's, and returns how many ended.",
  })
  endOtherSessions(@Ctx() context: Context): Promise<number> {
    const viewer = requireViewer(context);
    return endSessions(sqlOf(context.em), viewer.id, viewer.sessionId);
  }
}
