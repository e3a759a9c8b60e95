import { Arg, Ctx, FieldResolver, Float, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import { currentSubscription } from '../../billing/current-subscription.ts';
import { verdictsFor } from '../../domain/criteria/criteria.ts';
import { Alert } from '../../entities/alert.ts';
import { Listing } from '../../entities/listing.ts';
import type { FeedEvent } from '../../live/match-feed.ts';
import { readMatchLog } from '../../live/read-match-log.ts';
import { type MatchRow, readMatchPage } from '../../live/read-matches.ts';
import { requireViewer } from '../../policies/admin.ts';
import { requireApiAccess } from '../../policies/api-access.ts';
import type { Context } from '../context.ts';
import { andThen, type MaybePromise } from '../loaders/batch.ts';
import { parseId } from '../parse-id.ts';
import { Match, MatchAdded, MatchLog, MatchPage, Receipt, Verdict } from '../types/match.ts';

const MAX_PAGE = 100;

/** @throws AppError NOT_FOUND for an alert that is not the viewer's */
async function ownAlertId(context: Context, id: string | null | undefined): Promise<number | undefined> {
  if (id === undefined || id === null) return undefined;
  const number = parseId(id, 'Alert');
  if (!(await context.loaders.alerts.load(number))) throw new AppError('NOT_FOUND', 'Alert not found');
  return number;
}

/** @throws AppError VALIDATION for a page that would be empty or too large */
function pageSize(first: number): number {
  const message = `first must be between 1 and ${MAX_PAGE}`;
  if (first < 1 || first > MAX_PAGE) refuseInvalid({ first: message });
  return first;
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

@Resolver(() => Match)
export class MatchResolver {
  @Query(() => MatchPage, { description: "The user's matches, newest first." })
  async matches(
    @Arg('alertId', () => ID, { nullable: true, description: 'Only matches of this alert; of all alerts if absent.' })
    alertId: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 20, description: 'Page size, 1 to 100.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<MatchPage> {
    const viewer = requireViewer(context);
    const size = pageSize(first ?? 20);
    const id = await ownAlertId(context, alertId);
    const { rows, ...page } = await readMatchPage(context.parts.pool, {
      userId: viewer.id,
      first: size,
      ...(id !== undefined && { alertId: id }),
      ...(after && { after }),
    });
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
    const size = pageSize(first ?? MAX_PAGE);
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
      return context.parts.feed.follow({
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

  @FieldResolver(() => [Verdict], { description: 'Why it matches: one verdict for each criterion.' })
  verdicts(@Root() row: MatchRow, @Ctx() context: Context): MaybePromise<Verdict[]> {
    return andThen(alertOf(row, context), (alert) =>
      andThen(listingOf(row, context), (listing) => verdictsFor(alert, listing)),
    );
  }

  @FieldResolver(() => Receipt, { description: 'When each step from listing to message happened.' })
  receipt(@Root() row: MatchRow, @Ctx() context: Context): MaybePromise<Receipt> {
    const { alertId, listingId, matchedAt, isJustFound } = row;
    return andThen(listingOf(row, context), ({ listedAt, seenAt }) =>
      andThen(isJustFound ? undefined : context.loaders.handedOver.load({ alertId, listingId }), (handedOverAt) => ({
        listedAt: listedAt ?? null,
        seenAt,
        matchedAt,
        handedOverAt: handedOverAt ?? null,
      })),
    );
  }
}
