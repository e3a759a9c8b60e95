import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import { Alert } from '../../entities/alert.ts';
import {
  endSharedLink,
  type MadeLink,
  type OwnLink,
  readSharedLinks,
  shareAlert,
  shareListings,
} from '../../listings/shared-links.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { andThen, type MaybePromise } from '../loaders/batch.ts';
import { parseId } from '../read-arguments.ts';

/** Most cars of a list. */
const MAX_CARS = 50;

/** Resolved from a row; the alert is loaded when asked for. */
@ObjectType({
  description: 'A link that shows an alert or a list of cars to anybody who has it, and nothing about its owner.',
})
export class SharedLink {
  @Field(() => ID, { description: 'Number of the link.' })
  id!: number;

  alertId!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The address to pass on, in the answer that made it alone: only a hash of it is stored.',
  })
  url!: string | null;

  @Field(() => Int, { description: 'How many cars its list has; 0 of an alert.' })
  carCount!: number;

  @Field(() => [String], { description: 'Titles of the first three cars of its list; none of an alert.' })
  titles!: string[];

  @Field(() => GraphQLDateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When it ends by itself, 90 days after it was made.' })
  expiresAt!: Date;
}

const shown = (link: OwnLink): SharedLink => ({ ...link, url: null });

/** The link with its address, which the page `/shared/:token` has. */
const withUrl = ({ token, ...link }: MadeLink, { parts }: Context): SharedLink => ({
  ...link,
  url: `${parts.publicUrl}/shared/${token}`,
});

/** @throws AppError VALIDATION for no or too many cars and for a hidden one, NOT_FOUND for one that the viewer may not see */
async function readVisibleIds(ids: readonly string[], { loaders }: Context): Promise<number[]> {
  const listingIds = [...new Set(ids.map((id) => parseId(id, 'Listing')))];
  if (listingIds.length === 0) refuseInvalid({ ids: 'Choose at least one car.' });
  if (listingIds.length > MAX_CARS) refuseInvalid({ ids: `A list has up to ${MAX_CARS} cars.` });
  const buyers = await Promise.all(listingIds.map((id) => loaders.listingsForBuyer.load(id)));
  const isVisible = buyers.every((buyer) => buyer?.saved || (buyer?.alertIds.length ?? 0) > 0);
  if (!isVisible) throw new AppError('NOT_FOUND', 'Listing not found');
  // A list never shows it, so that the owner would have chosen it in vain.
  if (buyers.some((buyer) => buyer?.hidden)) refuseInvalid({ ids: "A car that you hid can't be shared." });
  return listingIds;
}

@Resolver(() => SharedLink)
export class SharedLinkResolver {
  @Query(() => [SharedLink], { description: "The user's links that work, newest first; at most 20." })
  async sharedLinks(@Ctx() context: Context): Promise<SharedLink[]> {
    const links = await readSharedLinks(context.parts.pool, requireViewer(context).id);
    return links.map(shown);
  }

  @Mutation(() => SharedLink, {
    description:
      'Makes a link that shows the criteria of an alert, and the newest cars for sale that fit them around the middle of its town when the link is opened. Hidden cars and the words that titles must or must not have are left out.',
  })
  async shareAlert(
    @Arg('id', () => ID, { description: 'Number of the alert.' }) id: string,
    @Ctx() context: Context,
  ): Promise<SharedLink> {
    const { id: userId } = requireViewer(context);
    return withUrl(await shareAlert(context.parts.pool, { userId, alertId: parseId(id, 'Alert') }), context);
  }

  @Mutation(() => SharedLink, {
    description:
      'Makes a link that shows cars, each of which matches an alert of the user or is saved, and none of which is hidden. The list stays as it is, without those that are hidden later; prices and states are those of when it is opened.',
  })
  async shareListings(
    @Arg('ids', () => [ID], { description: 'Numbers of up to 50 listings, in the order in which they are shown.' })
    ids: string[],
    @Ctx() context: Context,
  ): Promise<SharedLink> {
    const { id: userId } = requireViewer(context);
    const listingIds = await readVisibleIds(ids, context);
    return withUrl(await shareListings(context.parts.pool, { userId, listingIds }), context);
  }

  @Mutation(() => ID, { description: 'Ends a link at once. Whoever opens it learns only that it does not work.' })
  async endSharedLink(
    @Arg('id', () => ID, { description: 'Number of the link.' }) id: string,
    @Ctx() context: Context,
  ): Promise<number> {
    const link = { userId: requireViewer(context).id, id: parseId(id, 'Link') };
    await endSharedLink(context.parts.pool, link);
    return link.id;
  }

  @FieldResolver(() => Alert, { nullable: true, description: 'The alert that it shows; null for a list of cars.' })
  alert(@Root() { alertId }: SharedLink, @Ctx() { loaders }: Context): MaybePromise<Alert | null> {
    return alertId === null ? null : andThen(loaders.alerts.load(alertId), (alert) => alert ?? null);
  }
}
