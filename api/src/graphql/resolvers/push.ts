import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import {
  addSubscription,
  listSubscriptions,
  markOf,
  type NewSubscription,
  type PushSubscriptionRow,
  removeSubscription,
} from '../../notify/channels/push/subscriptions.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { parseId } from '../read-arguments.ts';

@InputType({
  description: "A browser's subscription at its push service, as PushSubscription.toJSON() names its parts.",
})
class PushSubscriptionInput implements NewSubscription {
  @Field(() => String, { description: 'The https address at the push service, up to 2,000 characters.' })
  endpoint!: string;

  @Field(() => String, { description: "The browser's public key: an uncompressed point of P-256, in base64url." })
  p256dh!: string;

  @Field(() => String, { description: "The browser's secret: 16 bytes in base64url." })
  auth!: string;
}

@ObjectType({ description: 'A browser that gets the push notifications of a user.' })
class PushSubscription {
  @Field(() => ID, { description: 'Number of the subscription.' })
  id!: number;

  @Field(() => String, { nullable: true, description: 'The name of the browser; null if it is unknown.' })
  browser!: string | null;

  @Field(() => String, { nullable: true, description: 'The name of the operating system; null if it is unknown.' })
  system!: string | null;

  @Field(() => GraphQLDateTime, { description: 'When it was added.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When its push service last accepted a message; null before the first.',
  })
  lastSuccessAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why its push service did not accept the last message; null if it did.',
  })
  lastError!: string | null;
}

@Resolver(() => PushSubscription)
export class PushResolver {
  @Query(() => String, {
    description: 'The public VAPID key of this server, in base64url: the applicationServerKey of a subscription.',
  })
  pushKey(@Ctx() { parts }: Context): Promise<string> {
    return parts.push.publicKey();
  }

  @Query(() => [PushSubscription], {
    description: 'The browsers that get push notifications of the user, newest first; at most 10.',
  })
  pushSubscriptions(@Ctx() context: Context): Promise<PushSubscriptionRow[]> {
    return listSubscriptions(context.parts.pool, requireViewer(context));
  }

  @Mutation(() => PushSubscription, {
    description:
      "Sends the push notifications of the user to this browser too, until the caller's session is ended. A browser that is known already stays the same; one of another user becomes the caller's.",
  })
  addPushSubscription(
    @Arg('input', () => PushSubscriptionInput, { description: 'What the browser says of its subscription.' })
    input: PushSubscriptionInput,
    @Ctx() context: Context,
  ): Promise<PushSubscriptionRow> {
    const { parts, session } = context;
    const device = session?.deviceInfo() ?? { browser: null, system: null };
    const deps = { pool: parts.pool, targets: parts.push.targets, confirmEmail: parts.confirmEmail };
    return addSubscription(deps, requireViewer(context), { ...input, ...device });
  }

  @Mutation(() => ID, { description: 'Sends no more push notifications to this browser. Returns its id.' })
  removePushSubscription(
    @Arg('id', () => ID, { description: 'Number of the subscription.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return removeSubscription(context.parts.pool, requireViewer(context), parseId(id, 'Device'));
  }

  @FieldResolver(() => String, {
    description: 'SHA-256 of the endpoint in base64url, by which a browser recognizes its own subscription.',
  })
  mark(@Root() subscription: PushSubscriptionRow): string {
    return markOf(subscription);
  }
}
