import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { listSessions, type ShownSession } from '../../accounts/sessions/list-sessions.ts';
import { signOutDevice } from '../../accounts/sessions/sign-out-device.ts';
import { endSessions } from '../../entities/shared/end-sessions.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { parseId } from '../parse-id.ts';
import { Session } from '../types/session.ts';

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
    return endSessions(context.em, viewer.id, viewer.sessionId);
  }
}
