import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { ApiScope } from '../../domain/api-key.ts';
import { ApiKey } from '../../entities/api-key.ts';
import { type HourUsage, readUsage } from '../../keys/key-usage.ts';
import {
  createApiKey,
  listApiKeys,
  type MadeKey,
  requirePlanForKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../keys/manage-api-keys.ts';
import { requireViewer } from '../../policies/caller.ts';
import type { Context } from '../context.ts';
import { parseId } from '../parse-id.ts';
import { ApiKeyState, ApiUsage, NewApiKey } from '../types/api-key.ts';

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @Query(() => [ApiKey], {
    description: "The user's API keys, the newest first; those that ended are shown for 30 days. Elite only.",
  })
  apiKeys(@Ctx() context: Context): Promise<ApiKey[]> {
    return listApiKeys(context.em, requireViewer(context));
  }

  @Query(() => [ApiUsage], {
    description: "Requests of all of the user's API keys, hour by hour for 7 days, the oldest first. Elite only.",
  })
  async apiUsage(@Ctx() context: Context): Promise<HourUsage[]> {
    const viewer = requireViewer(context);
    await requirePlanForKeys(context.em, viewer);
    return readUsage(context.parts.pool, viewer.id);
  }

  @Mutation(() => NewApiKey, {
    description: 'Makes an API key and shows its secret, this once. Elite only, at most 20 at a time.',
  })
  createApiKey(
    @Arg('name', () => String, { description: 'What it is for, in 1 to 60 characters.' }) name: string,
    @Arg('scopes', () => [ApiScope], { description: 'What it may do; write includes read.' }) scopes: ApiScope[],
    @Ctx() context: Context,
  ): Promise<MadeKey> {
    return createApiKey(context.em, context.parts, requireViewer(context), name, scopes);
  }

  @Mutation(() => NewApiKey, {
    description: 'Makes a key of the same name and scopes in the place of another, which works on for some hours.',
  })
  rotateApiKey(
    @Arg('id', () => ID, { description: 'Number of the key that is replaced.' }) id: string,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description: 'How many hours it works on: 0 to 168, 24 when left out.',
    })
    overlapHours: number | null | undefined,
    @Ctx() context: Context,
  ): Promise<MadeKey> {
    return rotateApiKey(context.em, context.parts, requireViewer(context), parseId(id, 'API key'), overlapHours);
  }

  @Mutation(() => ID, {
    description: 'Ends an API key for good, and its open connections within a second. Answers its number.',
  })
  revokeApiKey(
    @Arg('id', () => ID, { description: 'Number of the key.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return revokeApiKey(context.em, context.parts, requireViewer(context), parseId(id, 'API key'));
  }

  @FieldResolver(() => ApiKeyState, { description: 'Whether it opens anything.' })
  state(@Root() { revokedAt, expiresAt }: ApiKey): ApiKeyState {
    if (revokedAt) return ApiKeyState.revoked;
    if (!expiresAt) return ApiKeyState.active;
    return expiresAt.getTime() > Date.now() ? ApiKeyState.replaced : ApiKeyState.expired;
  }
}
