import { Arg, Ctx, FieldResolver, Float, ID, Int, Query, Resolver, Root, Subscription } from 'type-graphql';
import { AppError } from '../../base/errors.ts';
import { verdictsFor } from '../../domain/criteria/criteria.ts';
import { Alert } from '../../entities/alert.ts';
import { Listing } from '../../entities/listing.ts';
import type { FeedEvent } from '../../live/match-feed.ts';
import { type MatchRow, readMatchPage } from '../../live/read-matches.ts';
import { type Context, requireViewer } from '../context.ts';
import { parseId } from '../parse-id.ts';
import { Match, MatchAdded, MatchPage, Receipt, Verdict } from '../types/match.ts';

const MAX_PAGE = 100;

/** @throws AppError NOT_FOUND for an alert that is not the viewer's */
async function ownAlertId(context: Context, id: string | null | undefined): Promise<number | undefined> {
  if (id === undefined || id === null) return undefined;
  const number = parseId(id, 'Alert');
  if (!(await context.loaders.alerts.load(number))) throw new AppError('NOT_FOUND', 'Alert not found');
  return number;
}

async function listingOf(row: MatchRow, { loaders }: Context): Promise<Listing> {
  const listing = await loaders.listings.load(row.listingId);
  if (!listing) throw new AppError('NOT_FOUND', 'Listing not found');
  return listing;
}

async function alertOf(row: MatchRow, { loaders }: Context): Promise<Alert> {
  const alert = await loaders.alerts.load(row.alertId);
  if (!alert) throw new AppError('NOT_FOUND', 'Alert not found');
  return alert;
}

@Resolver(() => Match)
export class MatchResolver {
  @Query(() => MatchPage, { description: "The user's matches, newest first." })
  async matches(
    @Arg('alertId', () => ID, { nullable: true, description: 'Only of this alert; without it of all.' })
    alertId: string | null | undefined,
    @Arg('first', () => Int, { nullable: true, defaultValue: 20, description: 'How many, 1 to 100.' })
    first: number | null,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor: the page holds what is older.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<MatchPage> {
    const viewer = requireViewer(context);
    const size = first ?? 20;
    if (size < 1 || size > MAX_PAGE) {
      const message = `first must be between 1 and ${MAX_PAGE}`;
      throw new AppError('VALIDATION', message, { fields: { first: message } });
    }
    const id = await ownAlertId(context, alertId);
    const { rows, ...page } = await readMatchPage(context.parts.pool, {
      userId: viewer.id,
      first: size,
      ...(id !== undefined && { alertId: id }),
      ...(after && { after }),
    });
    return { ...page, nodes: rows };
  }

  @Subscription(() => MatchAdded, {
    description: "Each new match of the user's, once, in the order in which they became visible.",
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
    @Arg('alertId', () => ID, { nullable: true, description: 'Only of this alert; without it of all.' })
    _alertId: string | null | undefined,
    @Arg('after', () => String, { nullable: true, description: 'A cursor to go on from; without it from now on.' })
    _after: string | null | undefined,
  ): MatchAdded {
    return { cursor: event.cursor, match: event.row };
  }

  @FieldResolver(() => Float, { description: "Miles between the alert's place and the listing's, one decimal." })
  distance(@Root() row: MatchRow): number {
    return Math.round(row.distance * 10) / 10;
  }

  @FieldResolver(() => Alert, { description: 'The alert that it fits.' })
  alert(@Root() row: MatchRow, @Ctx() context: Context): Promise<Alert> {
    return alertOf(row, context);
  }

  @FieldResolver(() => Listing, { description: 'The listing.' })
  listing(@Root() row: MatchRow, @Ctx() context: Context): Promise<Listing> {
    return listingOf(row, context);
  }

  @FieldResolver(() => [Verdict], { description: 'Why it matches: one verdict a criterion.' })
  async verdicts(@Root() row: MatchRow, @Ctx() context: Context): Promise<Verdict[]> {
    const [alert, listing] = await Promise.all([alertOf(row, context), listingOf(row, context)]);
    return verdictsFor(alert, listing);
  }

  @FieldResolver(() => Receipt, { description: 'Its way, moment by moment.' })
  async receipt(@Root() row: MatchRow, @Ctx() context: Context): Promise<Receipt> {
    const [listing, handedOverAt] = await Promise.all([
      listingOf(row, context),
      context.loaders.handedOver.load({ alertId: row.alertId, listingId: row.listingId }),
    ]);
    return {
      listedAt: listing.listedAt ?? null,
      seenAt: listing.seenAt,
      matchedAt: row.matchedAt,
      handedOverAt: handedOverAt ?? null,
    };
  }
}
