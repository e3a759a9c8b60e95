import { Arg, Ctx, Field, ID, Int, ObjectType, Query, Resolver, registerEnumType } from 'type-graphql';
import { AppError, refuseInvalid } from '../../base/errors.ts';
import { fits, verdictsFor } from '../../domain/criteria/criteria.ts';
import {
  type ExplanationOutcome,
  explainPair,
  explanationOutcomes,
  explanationSentences,
  quarantineSentence,
} from '../../domain/explanations/explain.ts';
import { MAX_SEARCHED, readSearchedListing } from '../../domain/explanations/searched-listing.ts';
import type { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { listingStatusNames } from '../../entities/listing.ts';
import { type FoundListing, findListings, findQuarantined, readPair } from '../../listings/find-listings.ts';
import { type MatchRow, readMatch } from '../../live/read-matches.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { parseId } from '../read-arguments.ts';
import { Match } from './match.ts';
import { Verdict } from './verdict.ts';

const outcomes = Object.fromEntries(explanationOutcomes.map((name) => [name, name]));
registerEnumType(outcomes, {
  name: 'ExplanationOutcome',
  description: "Why a listing is, or is not, among an alert's matches.",
  valuesConfig: {
    announced: { description: 'It matches and is announced.' },
    backfilled: { description: 'It matches; it was there before the alert, so that it is only shown.' },
    shown_only: { description: 'It matches and was not announced.' },
    dismissed: { description: 'The user said "Not this car".' },
    pending: { description: 'It is being matched now.' },
    fitted_before: { description: 'It fitted before it or the alert changed.' },
    does_not_fit: { description: 'A criterion is not met.' },
    not_for_sale: { description: 'It fits, but is pending, sold or gone.' },
    not_watching: { description: 'It fits, but the alert is off or has expired.' },
    left_out: { description: 'It fits, but newer matches have taken its place: an alert keeps its newest 1000.' },
    too_old: { description: 'It fits, but was first seen more than 14 days before the alert was made or changed.' },
    missed: { description: 'It fits and should match; this is a fault of LotWatch.' },
    quarantined: { description: 'It was received and could not be accepted.' },
    several: { description: 'Several listings fit the text.' },
    not_found: { description: 'No car with this title is among those that were compared.' },
    never_seen: { description: 'No source has shown it.' },
  },
});

@ObjectType({ description: 'What anybody may see of a listing, whether or not it matches.' })
class ExplainedListing {
  @Field(() => ID, { description: 'Number of the listing.' })
  id!: number;

  @Field(() => String, { description: "The seller's title." })
  title!: string;

  @Field(() => Int, { nullable: true, description: 'Model year.' })
  year!: number | null;

  @Field(() => Int, { nullable: true, description: 'Asking price in whole US dollars.' })
  price!: number | null;

  @Field(() => String, { nullable: true, description: 'Where the car is, such as "Pasadena, CA".' })
  place!: string | null;

  @Field(() => listingStatusNames, { description: 'Whether the car can still be bought.' })
  status!: ListingStatus;
}

@ObjectType({ description: "Why a listing is, or is not, among an alert's matches." })
class Explanation {
  @Field(() => outcomes, { description: 'Why, for programs.' })
  outcome!: ExplanationOutcome;

  @Field(() => String, { description: 'Why, as a sentence for people.' })
  message!: string;

  @Field(() => Boolean, { nullable: true, description: 'Whether it meets all criteria; null without a listing.' })
  fits!: boolean | null;

  @Field(() => ExplainedListing, { nullable: true, description: 'The listing; null unless exactly one was found.' })
  listing!: ExplainedListing | null;

  @Field(() => [Verdict], { description: 'A verdict for each criterion; none without a listing.' })
  verdicts!: Verdict[];

  @Field(() => Match, { nullable: true, description: 'The match, while it is shown.' })
  match!: MatchRow | null;

  @Field(() => [ExplainedListing], {
    description: 'With several listings, the newest five: ask again for "#" and an id.',
  })
  choices!: ExplainedListing[];
}

function toExplained({ id, title, year, price, city, state, status }: FoundListing): ExplainedListing {
  const place = [city, state].filter(Boolean).join(', ') || null;
  return { id, title, year: year ?? null, price: price ?? null, place, status };
}

const nothing = { fits: null, listing: null, verdicts: [], match: null, choices: [] };
const about = (outcome: ExplanationOutcome) => ({ ...nothing, outcome, message: explanationSentences[outcome] });

@Resolver()
export class ExplanationResolver {
  @Query(() => Explanation, {
    description:
      "Explains why a listing is, or is not, among the matches of one of the user's alerts. A title finds matches of the alert, and cars near it that are for sale or ended in the last 30 days: of the make that it names, or else of the alert's.",
  })
  async explainListing(
    @Arg('alertId', () => ID, { description: 'Number of the alert.' }) alertId: string,
    @Arg('listing', () => String, {
      description: `The listing's address, its number (also "#" and the number), its id at its source, or words of its title; up to ${MAX_SEARCHED} characters.`,
    })
    text: string,
    @Ctx() { parts, loaders, ...context }: Context,
  ): Promise<Explanation> {
    const viewer = requireViewer(context);
    const alert = await loaders.alerts.load(parseId(alertId, 'Alert'));
    if (!alert) throw new AppError('NOT_FOUND', 'Alert not found');
    const wanted = text.trim();
    if (wanted === '') refuseInvalid({ listing: 'Enter the address, number or title of a listing.' });
    if (text.length > MAX_SEARCHED) refuseInvalid({ listing: `Enter at most ${MAX_SEARCHED} characters.` });
    await parts.limits.explanation(viewer.id);

    const searched = readSearchedListing(wanted);
    const found = await parts.whileAwaited(context.gone, (db) => findListings(db, alert, searched));
    const [listing] = found;
    if (!listing) {
      const code = await findQuarantined(parts.pool, searched);
      if (code !== null) return { ...about('quarantined'), message: quarantineSentence(code) };
      return about(searched.title === null ? 'never_seen' : 'not_found');
    }
    if (found.length > 1) return { ...about('several'), choices: found.map(toExplained) };
    const pair = await readPair(parts.pool, alert, listing.id);
    if (!pair) return about('never_seen');
    const verdicts = verdictsFor(alert, listing);
    const match = pair.match === 'shown' ? await readMatch(parts.pool, alert, listing.id) : null;
    return {
      ...about(explainPair(pair, verdicts)),
      fits: fits(verdicts),
      listing: toExplained(listing),
      verdicts,
      match,
    };
  }
}
