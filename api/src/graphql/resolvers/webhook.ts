import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Webhook } from '../../entities/webhook.ts';
import { requireViewer } from '../../policies/caller.ts';
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookDeps,
} from '../../webhooks/manage/change-webhook.ts';
import { listWebhooks, readWebhook, type ShownWebhook } from '../../webhooks/manage/own-webhook.ts';
import { readDeliveries } from '../../webhooks/manage/read-deliveries.ts';
import { replayDelivery, replayEvents, sendTestEvent } from '../../webhooks/manage/send-again.ts';
import type { Context } from '../context.ts';
import { parseId } from '../parse-id.ts';
import { NewWebhook, ReplayResult, WebhookDelivery, WebhookDeliveryPage, WebhookTry } from '../types/webhook.ts';

const depsOf = ({ parts }: Context): WebhookDeps => ({
  pool: parts.pool,
  confirmEmail: parts.confirmEmail,
  ...parts.webhooks,
});
const numberOf = (id: string) => parseId(id, 'Webhook');
const EVENTS = '"match.created", "listing.price_dropped" or "alert.expiring"; at least one.';

@Resolver(() => Webhook)
export class WebhookResolver {
  @Query(() => [Webhook], { description: "The user's webhooks, the oldest first; on the Elite plan." })
  webhooks(@Ctx() context: Context): Promise<ShownWebhook[]> {
    return listWebhooks(context.parts.pool, requireViewer(context));
  }

  @Query(() => Webhook, { description: "One of the user's webhooks; on the Elite plan." })
  webhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return readWebhook(context.parts.pool, requireViewer(context), numberOf(id));
  }

  @Mutation(() => NewWebhook, {
    description: 'Makes a webhook that is told of what happens from now on. At most 10; on the Elite plan.',
  })
  createWebhook(
    @Arg('url', () => String, { description: 'Where events are posted: https, outside of private networks.' })
    url: string,
    @Arg('events', () => [String], { description: EVENTS }) events: string[],
    @Arg('description', () => String, { nullable: true, description: 'A note, at most 200 characters.' })
    description: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<NewWebhook> {
    return createWebhook(depsOf(context), requireViewer(context), { url, events, description });
  }

  @Mutation(() => Webhook, {
    description:
      'Changes a webhook; what is left out stays. Its address can be changed by a person only, not with a key.',
  })
  updateWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Arg('url', () => String, { nullable: true, description: 'Where events are posted.' })
    url: string | null | undefined,
    @Arg('events', () => [String], { nullable: true, description: EVENTS }) events: string[] | null | undefined,
    @Arg('description', () => String, { nullable: true, description: 'A note; "" clears it.' })
    description: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return updateWebhook(depsOf(context), requireViewer(context), numberOf(id), { url, events, description });
  }

  @Mutation(() => NewWebhook, {
    description: 'Gives a webhook a new secret. For 24 hours messages bear a signature of the old one too.',
  })
  rotateWebhookSecret(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<NewWebhook> {
    return rotateWebhookSecret(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => ID, { description: 'Deletes a webhook with its deliveries.' })
  deleteWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return deleteWebhook(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => Webhook, { description: 'Lets the events of a webhook wait, for 7 days at most.' })
  pauseWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return pauseWebhook(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => Webhook, { description: 'Lets a paused webhook have what has waited, and what comes.' })
  resumeWebhook(
    @Arg('id', () => ID, { description: 'Number of the webhook.' }) id: string,
    @Ctx() context: Context,
  ): Promise<ShownWebhook> {
    return resumeWebhook(depsOf(context), requireViewer(context), numberOf(id));
  }

  @Mutation(() => WebhookDelivery, { description: 'Sends a webhook a "webhook.test" event, also while it is paused.' })
  async sendTestEvent(
    @Arg('webhookId', () => ID, { description: 'Number of the webhook.' }) webhookId: string,
    @Ctx() context: Context,
  ): Promise<WebhookDelivery> {
    const viewer = requireViewer(context);
    const delivery = await sendTestEvent(depsOf(context), viewer, numberOf(webhookId));
    return delivery as WebhookDelivery;
  }

  @Mutation(() => WebhookDelivery, {
    description: 'Sends one message again under its id, also while its webhook is paused.',
  })
  async replayDelivery(
    @Arg('id', () => ID, { description: 'Number of the delivery.' }) id: string,
    @Ctx() context: Context,
  ): Promise<WebhookDelivery> {
    const delivery = await replayDelivery(depsOf(context), requireViewer(context), parseId(id, 'Delivery'));
    return delivery as WebhookDelivery;
  }

  @Mutation(() => ReplayResult, {
    description: 'Sends a webhook all events again that came after a cursor, or from a time on; 30 days are kept.',
  })
  async replayEvents(
    @Arg('webhookId', () => ID, { description: 'Number of the webhook.' }) webhookId: string,
    @Arg('afterCursor', () => ID, { nullable: true, description: 'The cursor of the last event that is not sent.' })
    afterCursor: string | null | undefined,
    @Arg('since', () => GraphQLDateTime, { nullable: true, description: 'When the first event happened.' })
    since: Date | null | undefined,
    @Ctx() context: Context,
  ): Promise<ReplayResult> {
    const from = { afterCursor, since };
    return { count: await replayEvents(depsOf(context), requireViewer(context), numberOf(webhookId), from) };
  }

  @FieldResolver(() => GraphQLDateTime, {
    nullable: true,
    description: 'Until when messages bear a signature of the secret before; null without one.',
  })
  previousSecretUntil(@Root() webhook: ShownWebhook): Date | null {
    return webhook.previousSecretUntil;
  }

  @FieldResolver(() => Int, { description: 'How many messages wait to be taken.' })
  waiting(@Root() webhook: ShownWebhook): number {
    return webhook.waiting;
  }

  @FieldResolver(() => WebhookTry, { nullable: true, description: 'The last try; null before the first.' })
  lastTry(@Root() webhook: ShownWebhook): WebhookTry | null {
    return webhook.lastTry;
  }

  @FieldResolver(() => WebhookDeliveryPage, { description: 'What it was told, newest first.' })
  async deliveries(
    @Root() webhook: ShownWebhook,
    @Arg('first', () => Int, { nullable: true, defaultValue: 20, description: 'How many, 1 to 100.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor: the page holds what is older.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<WebhookDeliveryPage> {
    const page = await readDeliveries(context.parts.pool, webhook.id, { first: first ?? 20, after: after ?? null });
    return page as WebhookDeliveryPage;
  }
}
