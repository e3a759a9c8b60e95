import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
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
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { parseId } from '../read-arguments.ts';

/** Whether a key opens anything. */
enum ApiKeyState {
  active = 'active',
  replaced = 'replaced',
  expired = 'expired',
  revoked = 'revoked',
}

registerEnumType(ApiKeyState, {
  name: 'ApiKeyState',
  description: 'Whether an API key works.',
  valuesConfig: {
    active: { description: 'The key works.' },
    replaced: { description: 'Another key has replaced it, and it still works until expiresAt.' },
    expired: { description: 'Another key has replaced it, and it no longer works.' },
    revoked: { description: 'The owner has revoked it.' },
  },
});

@ObjectType({ description: 'A new API key with its secret, which is shown only now.' })
class NewApiKey {
  @Field(() => ApiKey, { description: 'The key.' })
  apiKey!: ApiKey;

  @Field(() => String, {
    description: 'The secret to send as "Authorization: Bearer …". It is shown only once; keep it safe.',
  })
  secret!: string;
}

@ObjectType({ description: "Requests made with the account's API keys in one hour." })
class ApiUsage {
  @Field(() => GraphQLDateTime, { description: 'The start of the hour.' })
  hour!: Date;

  @Field(() => Int, { description: 'Requests that were accepted.' })
  ok!: number;

  @Field(() => Int, {
    description: 'Requests that were refused because of a limit, the plan, or a key that no longer works.',
  })
  refused!: number;
}

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @Query(() => [ApiKey], {
    description: "The user's API keys, newest first. Keys that no longer work are listed for 30 days. Elite only.",
  })
  apiKeys(@Ctx() context: Context): Promise<ApiKey[]> {
    return listApiKeys(context.em, requireViewer(context));
  }

  @Query(() => [ApiUsage], {
    description:
      "Requests made with all of the user's API keys, by hour for the last 7 days, oldest first. Elite only.",
  })
  async apiUsage(@Ctx() context: Context): Promise<HourUsage[]> {
    const viewer = requireViewer(context);
    await requirePlanForKeys(context.em, viewer);
    return readUsage(context.parts.pool, viewer.id);
  }

  @Mutation(() => NewApiKey, {
    description:
      'Creates an API key and returns its secret, which is never shown again. Elite only, at most 20 working keys.',
  })
  createApiKey(
    @Arg('name', () => String, { description: 'What the key is for, in 1 to 60 characters.' }) name: string,
    @Arg('scopes', () => [ApiScope], { description: 'What the key is allowed to do; write includes read.' })
    scopes: ApiScope[],
    @Ctx() context: Context,
  ): Promise<MadeKey> {
    return createApiKey(context.em, context.parts, requireViewer(context), name, scopes);
  }

  @Mutation(() => NewApiKey, {
    description: 'Creates a key with the same name and scopes to replace another, which still works for some hours.',
  })
  rotateApiKey(
    @Arg('id', () => ID, { description: 'Number of the key to replace.' }) id: string,
    @Arg('overlapHours', () => Int, {
      nullable: true,
      description: 'How many hours the replaced key still works: 0 to 168; 24 if absent.',
    })
    overlapHours: number | null | undefined,
    @Ctx() context: Context,
  ): Promise<MadeKey> {
    return rotateApiKey(context.em, context.parts, requireViewer(context), parseId(id, 'API key'), overlapHours);
  }

  @Mutation(() => ID, {
    description: 'Revokes an API key permanently, and ends its open connections within a second. Returns its number.',
  })
  revokeApiKey(
    @Arg('id', () => ID, { description: 'Number of the key.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return revokeApiKey(context.em, context.parts, requireViewer(context), parseId(id, 'API key'));
  }

  @FieldResolver(() => ApiKeyState, { description: 'Whether the key works.' })
  state(@Root() { revokedAt, expiresAt }: ApiKey): ApiKeyState {
    if (revokedAt) return ApiKeyState.revoked;
    if (!expiresAt) return ApiKeyState.active;
    return expiresAt.getTime() > Date.now() ? ApiKeyState.replaced : ApiKeyState.expired;
  }
}
