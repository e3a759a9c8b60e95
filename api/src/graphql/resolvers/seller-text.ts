import { Arg, Ctx, Field, ID, ObjectType, Query, Resolver, registerEnumType } from 'type-graphql';
import { maskVins } from '../../domain/descriptions/masked-vins.ts';
import { factText } from '../../domain/descriptions/stated-facts.ts';
import { type TextFactName, textFactNames } from '../../domain/facts/listing-facts.ts';
import type { Listing } from '../../entities/listing.ts';
import { readSellerText } from '../../listings/seller-text.ts';
import { canAdministrate, requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { readVisibleListing } from './comparison.ts';

const readFromNames = { field: 'field', title: 'title', description: 'description' } as const;
registerEnumType(readFromNames, {
  name: 'ReadFrom',
  description: 'Where a fact of a listing was read.',
  valuesConfig: {
    field: { description: 'The source states it in a field of its own.' },
    title: { description: "It stands in the seller's title." },
    description: { description: 'It stands in what the seller wrote.' },
  },
});

@ObjectType({ description: 'A fact of a listing, and where it was read.' })
class FactRead {
  @Field(() => String, {
    description:
      'The fact, by its name in Listing; beside those, `doors`, and `priceWords`, which says how firm the price is.',
  })
  fact!: string;

  @Field(() => String, { description: 'The fact in words: `Salvage title`, `98,000 miles`.' })
  value!: string;

  @Field(() => readFromNames, {
    description: 'Where it was read. A field counts more than the title, that more than the description.',
  })
  from!: keyof typeof readFromNames;

  @Field(() => String, {
    nullable: true,
    description: "The seller's words, cut to 100 characters; null for a field of its own.",
  })
  words!: string | null;
}

@ObjectType({ description: 'What a seller wrote about a car, and what LotWatch read in it.' })
class SellerText {
  @Field(() => String, {
    nullable: true,
    description:
      'The description as plain text, at most 10 KB of it, with VINs masked for all but the admin; null where there is none.',
  })
  description!: string | null;

  @Field(() => [FactRead], { description: 'The facts that are stated, each with the place where it was read.' })
  factsRead!: FactRead[];
}

/** The facts of a listing that a buyer sees. */
const shownFacts = (listing: Listing): Record<Exclude<TextFactName, 'vin' | 'doors' | 'priceWords'>, unknown> => ({
  titleStatus: listing.titleStatus,
  mileage: listing.mileage,
  trim: listing.trim,
  drive: listing.drive,
  fuel: listing.fuel,
  transmission: listing.transmission,
  body: listing.body,
  color: listing.color,
  seller: listing.seller,
});

/** What a seller wrote, which is long and so no part of lists. */
@Resolver()
export class SellerTextResolver {
  @Query(() => SellerText, {
    description:
      "What the seller of a listing wrote, and where its facts were read. The listing matches one of the user's alerts, or is saved.",
  })
  async sellerText(
    @Arg('listingId', () => ID, { description: 'Number of the listing.' }) id: string,
    @Ctx() context: Context,
  ): Promise<SellerText> {
    const listing = await readVisibleListing(id, context);
    const { description, factsRead } = await readSellerText(context.parts.pool, listing.id);
    const inText = new Map(factsRead.map((one) => [one.fact, one]));
    const values: Partial<Record<TextFactName, unknown>> = shownFacts(listing);
    const seesVins = canAdministrate(requireViewer(context));
    const shown = (text: string | null) => (text === null || seesVins ? text : maskVins(text));
    const isShown = (fact: TextFactName) => fact !== 'vin' || seesVins;
    return {
      description: shown(description),
      factsRead: textFactNames.filter(isShown).flatMap((fact): FactRead[] => {
        const read = inText.get(fact);
        if (read) return [{ ...read, words: shown(read.words) }];
        const value = values[fact];
        if (typeof value !== 'string' && typeof value !== 'number') return [];
        return [{ fact, value: factText(fact, value), from: 'field', words: null }];
      }),
    };
  }
}
