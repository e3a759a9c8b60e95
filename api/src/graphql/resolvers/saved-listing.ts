import { GraphQLDateTime } from 'graphql-scalars';
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { AppError } from '../../base/errors.ts';
import { Listing } from '../../entities/listing.ts';
import { isPlain } from '../../listings/list-choice.ts';
import { noteOnListing } from '../../listings/listing-notes.ts';
import { readSavedListings, type SavedPage, saveListing } from '../../listings/saved-listings.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { ListChoiceArgs, readListChoice } from '../inputs/list-choice.ts';
import { parseId, readPageSize } from '../read-arguments.ts';

/** Resolved from a row; the listing is loaded when asked for. */
@ObjectType({ description: 'A car that the user saved.' })
class SavedListing {
  @Field(() => ID, { description: 'Number of the bookmark; a car that is saved again gets another one.' })
  id!: number;

  listingId!: number;

  @Field(() => GraphQLDateTime, { description: 'When it was saved.' })
  savedAt!: Date;
}

@ObjectType({ description: 'A page of saved cars.' })
class SavedListingPage {
  @Field(() => [SavedListing], { description: 'The saved cars of this page.' })
  nodes!: SavedPage['nodes'];

  @Field(() => ID, { nullable: true, description: 'Pass this to savedListings(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are more.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'How many saved cars the filters leave.' })
  total!: number;
}

/** Writes something of the caller's own about a listing, which the answer then shows. */
async function changeForBuyer(
  context: Context,
  id: string,
  change: (own: { userId: number; listingId: number; isMatch: boolean }) => Promise<unknown>,
): Promise<Listing> {
  const { id: userId } = requireViewer(context);
  const listingId = parseId(id, 'Listing');
  const { loaders } = context;
  const buyers = await loaders.listingsForBuyer.load(listingId);
  await change({ userId, listingId, isMatch: (buyers?.alertIds.length ?? 0) > 0 });
  const listing = await loaders.listings.load(listingId);
  if (!listing) throw new AppError('NOT_FOUND', 'Listing not found');
  return listing;
}

@Resolver(() => SavedListing)
export class SavedListingResolver {
  @Query(() => SavedListingPage, {
    description: 'The cars that the user saved, also those that are no longer for sale or match no alert any more.',
  })
  savedListings(
    @Arg('first', () => Int, { nullable: true, defaultValue: 20, description: 'Page size, 1 to 100.' })
    first: number | null,
    @Arg('after', () => ID, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Args(() => ListChoiceArgs) choice: ListChoiceArgs,
    @Ctx() context: Context,
  ): Promise<SavedListingPage> {
    const { id: userId } = requireViewer(context);
    const page = { userId, first: readPageSize(first), after: after || undefined };
    const chosen = readListChoice(choice);
    const { pool, whileAwaited } = context.parts;
    return isPlain(chosen)
      ? readSavedListings(pool, page, chosen)
      : whileAwaited(context.gone, (db) => readSavedListings(db, page, chosen));
  }

  @Mutation(() => Listing, {
    description:
      'Saves a car that matches one of the alerts, also one that an alert told of and that newer matches have replaced, or removes it from the saved ones; for a day after that it can be saved again, also where it matches no alert any more. At most 500 can be saved. The alert that matched it tells of price drops of 5 % or more, and when it is sold.',
  })
  async saveListing(
    @Arg('id', () => ID, { description: 'Number of the listing.' }) id: string,
    @Arg('saved', () => Boolean, { description: 'Whether it is to be saved.' }) saved: boolean,
    @Ctx() context: Context,
  ): Promise<Listing> {
    return await changeForBuyer(context, id, (own) => saveListing(context.parts.pool, own, saved));
  }

  @Mutation(() => Listing, {
    description:
      "Writes the user's own note about a car that matches one of the alerts or is saved; without a text, it removes the note.",
  })
  async noteOnListing(
    @Arg('id', () => ID, { description: 'Number of a listing of the car.' }) id: string,
    @Arg('note', () => String, { nullable: true, description: 'The text, up to 1,000 characters.' })
    note: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<Listing> {
    return await changeForBuyer(context, id, (own) => noteOnListing(context.parts.pool, own, note));
  }

  @FieldResolver(() => Listing, { nullable: true, description: 'The car; null if it was deleted meanwhile.' })
  async listing(@Root() { listingId }: SavedListing, @Ctx() { loaders }: Context): Promise<Listing | null> {
    return (await loaders.listings.load(listingId)) ?? null;
  }
}
