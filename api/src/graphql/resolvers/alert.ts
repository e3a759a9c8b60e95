import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import {
  createAlerts,
  MAX_ALERTS_A_CALL,
  type AlertOutcome as Outcome,
  updateAlerts,
} from '../../alerts/bulk-alerts.ts';
import { createAlert } from '../../alerts/create-alert.ts';
import { deleteAlert } from '../../alerts/delete-alert.ts';
import { canCreateAlert } from '../../alerts/plan-usage.ts';
import { renewAlert, resumeAlerts } from '../../alerts/renew-alert.ts';
import { snoozeAlert } from '../../alerts/snooze-alert.ts';
import { updateAlert } from '../../alerts/update-alert.ts';
import { refuseInvalid } from '../../base/errors.ts';
import { daysRemaining, isExpired } from '../../domain/expiry.ts';
import { Alert } from '../../entities/alert.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { AlertChange, AlertInput, AlertPatch } from '../inputs/alert.ts';
import { andThen, type MaybePromise } from '../loaders/batch.ts';
import { parseId, readId } from '../read-arguments.ts';
import { sendTestNotification } from '../send-test-notification.ts';
import { Message } from './message.ts';
import { WaitingNotification } from './notification.ts';

@ObjectType({ description: 'Why one of several alerts was refused, in the form that all errors have.' })
class AlertRefusal {
  @Field(() => String, { description: 'The error code, for programs.' })
  code!: string;

  @Field(() => String, { description: 'A sentence for people.' })
  message!: string;

  @Field(() => GraphQLJSON, { nullable: true, description: 'What is wrong, by field name.' })
  fields?: Record<string, string> | undefined;

  @Field(() => Boolean, { nullable: true, description: 'Whether a larger plan would allow it.' })
  needsUpgrade?: boolean | undefined;
}

@ObjectType({ description: 'The result for one of several alerts.' })
export class AlertOutcome implements Outcome {
  @Field(() => Int, { description: "The alert's position in the call, counting from 0." })
  index!: number;

  @Field(() => Alert, { nullable: true, description: 'The alert as it is now; null if it was refused.' })
  alert!: Alert | null;

  @Field(() => AlertRefusal, { nullable: true, description: 'Why the alert was refused; null if it was not.' })
  error!: Outcome['error'];
}

@ObjectType({ description: 'Whether the plan allows one more active alert.' })
class CanCreateAlert {
  @Field(() => Boolean, { description: 'Whether another alert can be created now.' })
  canCreateAlert!: boolean;

  @Field(() => Boolean, { description: 'Whether a larger plan would allow more alerts.' })
  needsUpgrade!: boolean;

  @Field(() => Int, { description: 'How many alerts are active and not expired.' })
  alertsUsed!: number;

  @Field(() => Int, { description: 'How many active alerts the plan allows.' })
  alertLimit!: number;

  @Field(() => Int, {
    description:
      'How many of the alerts that were paused by a smaller plan the current plan allows again; resumeAlerts resumes them.',
  })
  alertsToResume!: number;
}

const depsOf = ({ parts }: Context) => ({
  gazetteer: parts.gazetteer,
  now: new Date(),
  hasTexts: parts.phone.texter !== null,
});

/** @throws AppError VALIDATION for too many ids */
function readIds(ids: readonly string[]): number[] {
  const message = `Name at most ${MAX_ALERTS_A_CALL} alerts.`;
  if (ids.length > MAX_ALERTS_A_CALL) refuseInvalid({ ids: message });
  return ids.map(readId).filter((id) => id !== null);
}

const numberOf = (id: string) => parseId(id, 'Alert');

@Resolver(() => Alert)
export class AlertResolver {
  @Query(() => [Alert], { description: "The user's alerts, newest first." })
  alerts(
    @Arg('ids', () => [ID], {
      nullable: true,
      description: 'Only these alerts, at most 100; unknown ids are ignored.',
    })
    ids: string[] | null | undefined,
    @Ctx() context: Context,
  ): Promise<Alert[]> {
    const userId = requireViewer(context).id;
    const only = ids ? { id: { $in: readIds(ids) } } : {};
    return context.em.find(Alert, { userId, ...only }, { orderBy: { id: 'desc' } });
  }

  @Query(() => Alert, { nullable: true, description: "One of the user's alerts." })
  async alert(
    @Arg('id', () => ID, { description: 'Number of the alert.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Alert | null> {
    requireViewer(context);
    const number = readId(id);
    return number === null ? null : ((await context.loaders.alerts.load(number)) ?? null);
  }

  @Query(() => CanCreateAlert, { description: "Whether the user's plan allows another alert." })
  canCreateAlert(@Ctx() context: Context): Promise<CanCreateAlert> {
    return canCreateAlert(context.em, requireViewer(context));
  }

  @Mutation(() => Alert, {
    description: 'Creates an alert that watches from now on. Listings of the last 14 days are matched too.',
  })
  createAlert(
    @Arg('input', () => AlertInput, { description: 'The alert to create.' }) input: AlertInput,
    @Arg('pause', () => ID, {
      nullable: true,
      description:
        "One of the user's alerts to switch off first, where the plan has no room for both. Both happen or neither.",
    })
    pause: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<Alert> {
    const pausedId = pause == null ? undefined : numberOf(pause);
    return createAlert(context.em, depsOf(context), requireViewer(context), input, pausedId);
  }

  @Mutation(() => [Alert], {
    description: 'Resumes the alerts that a smaller plan had paused, oldest first, as many as the plan allows.',
  })
  async resumeAlerts(@Ctx() context: Context): Promise<Alert[]> {
    return resumeAlerts(context.em, requireViewer(context));
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the alert is paused because the plan allows fewer active alerts.',
  })
  pausedByPlan(@Root() alert: Alert): boolean {
    return alert.pausedByPlanAt != null;
  }

  @Mutation(() => Alert, { description: 'Changes an alert, or switches it on or off.' })
  updateAlert(
    @Arg('id', () => ID, { description: 'Number of the alert.' }) id: string,
    @Arg('input', () => AlertPatch, { description: 'What to change.' }) input: AlertPatch,
    @Ctx() context: Context,
  ): Promise<Alert> {
    return updateAlert(context.em, depsOf(context), requireViewer(context), numberOf(id), input);
  }

  @Mutation(() => [AlertOutcome], {
    description:
      'Creates up to 100 alerts in one call. An error in one of them does not affect the others. Elite only.',
  })
  createAlerts(
    @Arg('alerts', () => [AlertInput], { description: 'The alerts to create.' }) inputs: AlertInput[],
    @Ctx() context: Context,
  ): Promise<AlertOutcome[]> {
    return createAlerts(context.em, depsOf(context), requireViewer(context), inputs);
  }

  @Mutation(() => [AlertOutcome], {
    description:
      'Changes up to 100 alerts in one call. An error in one of them does not affect the others. Elite only.',
  })
  updateAlerts(
    @Arg('alerts', () => [AlertChange], { description: 'The changes, one item for each alert.' })
    changes: AlertChange[],
    @Ctx() context: Context,
  ): Promise<AlertOutcome[]> {
    const numbered = changes.map((change) => ({ ...change, id: readId(change.id) }));
    return updateAlerts(context.em, depsOf(context), requireViewer(context), numbered);
  }

  @Mutation(() => ID, { description: 'Deletes an alert and its matches.' })
  deleteAlert(
    @Arg('id', () => ID, { description: 'Number of the alert.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    return deleteAlert(context.em, requireViewer(context), numberOf(id));
  }

  @Mutation(() => Alert, {
    description: "Lets an alert's messages wait for some days; what waited comes as a summary.",
  })
  snoozeAlert(
    @Arg('id', () => ID, { description: 'Number of the alert.' }) id: string,
    @Arg('days', () => Int, { description: 'Days from now, up to 42; 0 ends the snooze.' }) days: number,
    @Ctx() context: Context,
  ): Promise<Alert> {
    return snoozeAlert(context.em, requireViewer(context), numberOf(id), days);
  }

  @Mutation(() => Alert, { description: 'Renews an alert, so that it expires 42 days from now.' })
  renewAlert(
    @Arg('id', () => ID, { description: 'Number of the alert.' }) id: string,
    @Ctx() context: Context,
  ): Promise<Alert> {
    return renewAlert(context.em, requireViewer(context), numberOf(id));
  }

  @Mutation(() => Message, { description: "Sends the user a sample of an alert's mail." })
  async sendTestNotification(
    @Arg('alertId', () => ID, { description: 'Number of the alert.' }) alertId: string,
    @Ctx() context: Context,
  ): Promise<Message> {
    const viewer = requireViewer(context);
    const number = numberOf(alertId);
    await context.parts.limits.mailOnDemand(viewer.id);
    const address = await sendTestNotification(context.em, context.parts, viewer, number);
    return { message: `A test notification is on its way to ${address}.` };
  }

  @FieldResolver(() => String, { description: "The requested color, or 'any' for no preference." })
  color(@Root() alert: Alert): string {
    return alert.color ?? 'any';
  }

  @FieldResolver(() => Boolean, { description: 'Whether the alert is watching.' })
  isActive(@Root() alert: Alert): boolean {
    return alert.isActive && !isExpired(alert.expiresAt, new Date());
  }

  @FieldResolver(() => Int, {
    description: 'Days until the alert expires, counting a started day as a whole one; never below 0.',
  })
  daysRemaining(@Root() alert: Alert): number {
    return daysRemaining(alert.expiresAt, new Date());
  }

  @FieldResolver(() => [WaitingNotification], {
    description: 'What waits to be sent, by channel: until when, and by which rule.',
  })
  async waiting(@Root() alert: Alert, @Ctx() { loaders }: Context): Promise<WaitingNotification[]> {
    return (await loaders.waiting.load(alert.id)) ?? [];
  }

  @FieldResolver(() => Int, {
    description:
      'How many listings match the alert. Counts stop at 1001, which stands for more than the 1000 that an alert keeps, and which pages show as "1,000+".',
  })
  matchCount(@Root() alert: Alert, @Ctx() { loaders }: Context): MaybePromise<number> {
    return andThen(loaders.matchCounts.load(alert.id), (count) => count ?? 0);
  }

  @FieldResolver(() => Int, {
    description:
      'How many cars are new by this alert: not viewed, matched less than 24 hours ago, and seen after it was made or last edited. Each car counts once, up to 1001, which pages show as "1,000+".',
  })
  newCount(@Root() alert: Alert, @Ctx() { loaders }: Context): MaybePromise<number> {
    return andThen(loaders.newCounts.load(alert.id), (count) => count ?? 0);
  }
}
