import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ApiKey } from '../../entities/api-key.ts';

/** Whether a key opens anything. */
export enum ApiKeyState {
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
export class NewApiKey {
  @Field(() => ApiKey, { description: 'The key.' })
  apiKey!: ApiKey;

  @Field(() => String, {
    description: 'The secret to send as "Authorization: Bearer …". It is shown only once; keep it safe.',
  })
  secret!: string;
}

@ObjectType({ description: "Requests made with the account's API keys in one hour." })
export class ApiUsage {
  @Field(() => GraphQLDateTime, { description: 'The start of the hour.' })
  hour!: Date;

  @Field(() => Int, { description: 'Requests that were accepted.' })
  ok!: number;

  @Field(() => Int, {
    description: 'Requests that were refused because of a limit, the plan, or a key that no longer works.',
  })
  refused!: number;
}
