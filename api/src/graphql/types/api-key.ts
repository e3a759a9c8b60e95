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
  description: 'Whether an API key opens anything.',
  valuesConfig: {
    active: { description: 'It works.' },
    replaced: { description: 'Another has replaced it; it works on until expiresAt.' },
    expired: { description: 'Another has replaced it; it works no more.' },
    revoked: { description: 'Its owner has ended it.' },
  },
});

@ObjectType({ description: 'An API key at the only time at which its secret is shown.' })
export class NewApiKey {
  @Field(() => ApiKey, { description: 'The key.' })
  apiKey!: ApiKey;

  @Field(() => String, { description: 'What goes as "Authorization: Bearer …". It is shown this once; keep it safe.' })
  secret!: string;
}

@ObjectType({ description: "Requests of an account's API keys in one hour." })
export class ApiUsage {
  @Field(() => GraphQLDateTime, { description: 'When the hour begins.' })
  hour!: Date;

  @Field(() => Int, { description: 'Requests that were let in.' })
  ok!: number;

  @Field(() => Int, {
    description: 'Requests that were refused: above the limits, without the plan, or with an ended key.',
  })
  refused!: number;
}
