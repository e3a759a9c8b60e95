import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { AppError } from '../../base/errors.ts';
import { currentSubscription } from '../../billing/plans.ts';
import { verdictsFor } from '../../domain/criteria/criteria.ts';
import { Alert } from '../../entities/alert.ts';
import { Listing } from '../../entities/listing.ts';
import { isPlain } from '../../listings/list-choice.ts';
import { readSortedMatches } from '../../listings/sorted-matches.ts';
import type { FeedEvent } from '../../live/match-feed.ts';
import { type MatchRow, readMatchPage } from '../../live/read-matches.ts';
import { readMatchLog } from '../../live/read-subscribers.ts';
import { requireViewer } from '../../policies/admin.ts';
import { requireApiAccess } from '../../policies/owned-records.ts';
import type { Context } from '../context.ts';
import { ListChoiceArgs, readListChoice } from '../inputs/list-choice.ts';
import { limits } from '../limits.ts';
import { andThen, type MaybePromise } from '../loaders/batch.ts';
import { parseId, readPageSize } from '../read-arguments.ts';
import { Receipt } from './receipt.ts';
import { Verdict } from './verdict.ts';

/** Resolved from a row of `matches`; everything else is loaded when asked for. */
@ObjectType({ description: 'A listing that fits an alert.' })
export class Match {
  @Field(() => GraphQLDateTime, { description: 'When the listing was matched to the alert.' })
  matchedAt!: Date;

  @Field(() => Boolean, {
    description: 'Whether the match is announced by message; listings that existed before the alert are only shown.',
  })
  announced!: boolean;

  @Field(() => ID, { description: 'Number of the alert that it fits.' })
  alertId!: number;

  listingId!: number;
  distance!: number;
}

@ObjectType({ description: 'A page of matches.' })
class MatchPage {
  @Field(() => [Match], { description: 'The matches of this page.' })
  nodes!: MatchRow[];

  @Field(() => String, { nullable: true, description: 'Pass this to matches(after:) to read older matches.' })
  endCursor!: string | null;

  @Field(() => String, {
    description: 'Pass this to matchAdded(after:) to receive everything after this page.',
  })
  liveCursor!: string;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;

  @Field(() => Int, {
    nullable: true,
    description:
      'How many matches the filters leave; null for the newest ones without filters, where the alert counts them.',
  })
  total?: number | null;
}

@ObjectType({ description: 'A match with its position in the order in which matches became visible.' })
class MatchAdded {
  @Field(() => String, {
    description: 'Pass this to matchAdded(after:) or matchLog(after:) to continue after this match.',
  })
  cursor!: string;

  @Field(() => Match, { description: 'The match.' })
  match!: MatchRow;
}

@ObjectType({ description: 'A page of the log of matches, oldest first.' })
class MatchLog {
  @Field(() => [MatchAdded], { description: 'The matches of this page.' })
  nodes!: MatchAdded[];

  @Field(() => String, { nullable: true, description: 'Pass this to matchLog(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are more matches now.' })
  hasMore!: boolean;
}

/** @throws AppError NOT_FOUND for an alert that is not the viewer's */
async function ownAlertId(context: Context, id: string | null | undefined): Promise<number | undefined> {
  if (id === undefined || id === null) return undefined;
  const number = parseId(id, 'Alert');
  if (!(await context.loaders.alerts.load(number))) throw new AppError('NOT_FOUND', 'Alert not found');
  return number;
}

function listingOf(row: MatchRow, { loaders }: Context): MaybePromise<Listing> {
  return andThen(loaders.listings.load(row.listingId), (listing) => {
    if (!listing) throw new AppError('NOT_FOUND', 'Listing not found');
    return listing;
  });
}

function alertOf(row: MatchRow, { loaders }: Context): MaybePromise<Alert> {
  return andThen(loaders.alerts.load(row.alertId), (alert) => {
    if (!alert) throw new AppError('NOT_FOUND', 'Alert not found');
    return alert;
  });
}

/**
 * A pair from a backfill before the last one counts too if its listing is older than the alert. A match that a later edit
 * kept was found when its car came, and one that is announced when its car changed.
 */
function isFoundByBackfill(alert: Alert, seenAt: Date, { announced, matchedAt }: MatchRow): boolean {
  const { createdAt, backfillRequestedAt } = alert;
  return !announced && (seenAt < createdAt || (seenAt < backfillRequestedAt && matchedAt >= backfillRequestedAt));
}

@Resolver(() => Match)
export class MatchResolver {
  @Query(() => MatchPage, {
    description: "The user's matches, newest first. Sorted otherwise or filtered, it holds the newest 5,000.",
  })
  async matches(
    @Arg('alertId', () => ID, { nullable: true, description: 'Only matches of this alert; of all alerts if absent.' })
    alertId: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 20, description: 'Page size, 1 to 100.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Args(() => ListChoiceArgs) choice: ListChoiceArgs,
    @Ctx() context: Context,
  ): Promise<MatchPage> {
    const viewer = requireViewer(context);
    const size = readPageSize(first);
    const id = await ownAlertId(context, alertId);
    const wanted = {
      userId: viewer.id,
      first: size,
      ...(id !== undefined && { alertId: id }),
      ...(after && { after }),
    };
    const chosen = readListChoice(choice);
    const { rows, ...page } = isPlain(chosen)
      ? await readMatchPage(context.parts.pool, wanted)
      : await context.parts.whileAwaited(context.gone, (db) => readSortedMatches(db, wanted, chosen));
    return { ...page, nodes: rows };
  }

  @Query(() => MatchLog, {
    description: "All of the user's matches in the order in which they became visible, oldest first. Elite only.",
  })
  async matchLog(
    @Arg('alertId', () => ID, { nullable: true, description: 'Only matches of this alert; of all alerts if absent.' })
    alertId: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 1 to 100; 100 if absent.' })
    first: number | null | undefined,
    @Arg('after', () => String, {
      nullable: true,
      description: 'A cursor to continue after; from the first match if absent.',
    })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<MatchLog> {
    const viewer = requireViewer(context);
    requireApiAccess(await currentSubscription(context.em, viewer));
    const size = readPageSize(first, limits.pageSize);
    const id = await ownAlertId(context, alertId);
    return readMatchLog(context.parts.pool, {
      userId: viewer.id,
      alertId: id ?? null,
      first: size,
      after: after || null,
    });
  }

  @Subscription(() => MatchAdded, {
    description:
      "Each of the user's matches as it becomes visible, in that order. A match that was hidden and is shown again is sent again. A cursor that no longer means anything is answered with CONFLICT.",
    subscribe: async ({
      args,
      context,
    }: {
      args: { alertId?: string | null; after?: string | null };
      context: Context;
    }) => {
      const viewer = requireViewer(context);
      const alertId = await ownAlertId(context, args.alertId);
      return context.parts.feed.subscribe({
        userId: viewer.id,
        ...(alertId !== undefined && { alertId }),
        ...(args.after && { after: args.after }),
      });
    },
  })
  matchAdded(
    @Root() event: FeedEvent,
    @Arg('alertId', () => ID, { nullable: true, description: 'Only matches of this alert; of all alerts if absent.' })
    _alertId: string | null | undefined,
    @Arg('after', () => String, { nullable: true, description: 'A cursor to continue after; from now on if absent.' })
    _after: string | null | undefined,
  ): MatchAdded {
    return { cursor: event.cursor, match: event.row };
  }

  @FieldResolver(() => Float, {
    description: "Distance in miles between the alert's place and the listing's, with one decimal.",
  })
  distance(@Root() row: MatchRow): number {
    return Math.round(row.distance * 10) / 10;
  }

  @FieldResolver(() => Alert, { description: 'The alert that it fits.' })
  alert(@Root() row: MatchRow, @Ctx() context: Context): MaybePromise<Alert> {
    return alertOf(row, context);
  }

  @FieldResolver(() => Listing, { description: 'The listing.' })
  listing(@Root() row: MatchRow, @Ctx() context: Context): MaybePromise<Listing> {
    return listingOf(row, context);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether a backfill found it: its listing was seen before the alert was made or last edited, and was matched after that.',
  })
  foundByBackfill(@Root() row: MatchRow, @Ctx() context: Context): MaybePromise<boolean> {
    return andThen(alertOf(row, context), (alert) =>
      andThen(listingOf(row, context), ({ seenAt }) => isFoundByBackfill(alert, seenAt, row)),
    );
  }

  @FieldResolver(() => [Verdict], {
    description:
      'Why it matches: one verdict for each criterion that every alert has, and for each further filter of this alert.',
  })
  verdicts(@Root() row: MatchRow, @Ctx() context: Context): MaybePromise<Verdict[]> {
    return andThen(alertOf(row, context), (alert) =>
      andThen(listingOf(row, context), (listing) => verdictsFor(alert, listing)),
    );
  }

  @FieldResolver(() => Receipt, { description: 'When each step from listing to message happened.' })
  receipt(@Root() row: MatchRow, @Ctx() context: Context): MaybePromise<Receipt> {
    const { alertId, listingId, matchedAt, isJustFound } = row;
    return andThen(listingOf(row, context), ({ listedAt, seenAt }) =>
      andThen(isJustFound ? undefined : context.loaders.deliveryTimes.load({ alertId, listingId }), (times) => ({
        listedAt: listedAt ?? null,
        seenAt,
        matchedAt,
        handedOverAt: times?.handedOverAt ?? null,
        deliveredAt: times?.deliveredAt ?? null,
        deliveredBy: times?.deliveredBy ?? null,
      })),
    );
  }
}
