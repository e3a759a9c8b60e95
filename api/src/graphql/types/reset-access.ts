import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { ApiKey } from '../../entities/api-key.ts';

@ObjectType({ description: 'A webhook, by the host that it posts to.' })
export class WebhookHost {
  @Field(() => ID, { description: 'Number of the webhook.' })
  id!: number;

  @Field(() => String, { description: 'The host of its URL.' })
  host!: string;

  @Field(() => GraphQLDateTime, { description: 'When it was created.' })
  createdAt!: Date;
}

@ObjectType({ description: "What reaches an account's data without its password." })
export class ResetAccess {
  @Field(() => [ApiKey], { description: 'API keys that work, newest first.' })
  apiKeys!: ApiKey[];

  @Field(() => [WebhookHost], { description: "The account's webhooks, newest first." })
  webhooks!: WebhookHost[];
}
