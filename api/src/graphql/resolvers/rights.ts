import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { DeletionStatus, decisionsFrom } from '../../domain/deletion-request.ts';
import { DeletionRequest } from '../../entities/deletion-request.ts';
import { requireViewer } from '../../policies/admin.ts';
import { requestDeletion, updateDeletionRequest } from '../../rights/deletion-requests.ts';
import { executeDeletion } from '../../rights/erase-person.ts';
import { type DataExport, exportData } from '../../rights/export-data.ts';
import type { Context } from '../context.ts';
import { parseId } from '../read-arguments.ts';
import { Message } from './message.ts';

const newestFirst = { orderBy: { id: 'desc' } } as const;

@Resolver(() => DeletionRequest)
export class RightsResolver {
  @Mutation(() => GraphQLJSON, {
    description:
      'Everything that is stored about the user except secrets: profile, plan, alerts, matches with their listings, mails, messages, webhooks, requests and sessions. Limited to a few calls an hour.',
  })
  async exportMyData(@Ctx() context: Context): Promise<DataExport> {
    const viewer = requireViewer(context);
    await context.parts.limits.dataExport(viewer.id);
    return exportData(context.parts.pool, viewer);
  }

  @Mutation(() => DeletionRequest, {
    description: 'Asks the admin to erase the account and all its data. Only one request can be open at a time.',
  })
  requestDeletion(
    @Arg('reason', () => String, { description: 'The reason, 1 to 2,000 characters.' }) reason: string,
    @Ctx() context: Context,
  ): Promise<DeletionRequest> {
    return requestDeletion(context.em, requireViewer(context), reason);
  }

  @Query(() => [DeletionRequest], { description: "The user's own deletion requests, newest first." })
  myDeletionRequests(@Ctx() context: Context): Promise<DeletionRequest[]> {
    return context.em.find(DeletionRequest, { userId: requireViewer(context).id }, newestFirst);
  }

  @Query(() => [DeletionRequest], { description: 'All deletion requests, newest first. Admin only.' })
  deletionRequests(
    @Arg('status', () => DeletionStatus, { nullable: true, description: 'Only requests in this state; all if absent.' })
    status: DeletionStatus | null | undefined,
    @Ctx() context: Context,
  ): Promise<DeletionRequest[]> {
    return context.em.find(DeletionRequest, status ? { status } : {}, newestFirst);
  }

  @Mutation(() => DeletionRequest, {
    description: 'Approves or rejects a pending request, or changes the notes of an open one. Admin only.',
  })
  updateDeletionRequest(
    @Arg('requestId', () => ID, { description: 'Name of the request, for example "DR-7F3K2Q".' }) requestId: string,
    @Arg('status', () => DeletionStatus, { description: 'The new state, or the current one.' })
    status: DeletionStatus,
    @Arg('notes', () => String, {
      nullable: true,
      description: 'At most 2,000 characters. If absent, the notes stay; null or "" clears them.',
    })
    notes: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<DeletionRequest> {
    return updateDeletionRequest(context.em, requireViewer(context), { requestId, status, notes });
  }

  @Mutation(() => Message, {
    description: 'Permanently erases a user whose deletion request is approved, with all their data. Admin only.',
  })
  async executeDeletion(
    @Arg('userId', () => ID, { description: 'Number of the user.' }) userId: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const viewer = requireViewer(context);
    return { message: await executeDeletion(context.parts, viewer, parseId(userId, 'User')) };
  }

  @FieldResolver(() => [DeletionStatus], { description: 'The states that the admin can set now.' })
  decisions(@Root() request: DeletionRequest): readonly DeletionStatus[] {
    return decisionsFrom(request.status);
  }
}
