import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { ApiKey } from '../../entities/api-key.ts';

@ObjectType({ description: 'A webhook, by whom it tells.' })
export class WebhookHost {
  @Field(() => ID, { description: 'Number of the webhook.' })
  id!: number;

  @Field(() => String, { description: 'The host of its address.' })
  host!: string;

  @Field(() => GraphQLDateTime, { description: 'When it was made.' })
  createdAt!: Date;
}

@ObjectType({ description: 'What opens an account, or tells others of it, without its password.' })
export class ResetAccess {
  @Field(() => [ApiKey], { description: 'API keys that work, the newest first.' })
  apiKeys!: ApiKey[];

  @Field(() => [WebhookHost], { description: 'Its webhooks, the newest first.' })
  webhooks!: WebhookHost[];
}
