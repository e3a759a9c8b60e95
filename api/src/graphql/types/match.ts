import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { Criterion, type Verdict as CriterionVerdict, VerdictKind } from '../../domain/criteria/criteria.ts';
import type { MatchRow } from '../../live/read-matches.ts';

registerEnumType(Criterion, {
  name: 'Criterion',
  description: 'What an alert can ask for.',
  valuesConfig: {
    make: { description: 'The make.' },
    model: { description: 'The model.' },
    year: { description: 'The model year.' },
    price: { description: 'The asking price.' },
    color: { description: 'The color.' },
    image: { description: 'A photo.' },
    distance: { description: "The distance from the alert's place." },
  },
});

registerEnumType(VerdictKind, {
  name: 'VerdictKind',
  description: 'How a listing stands to one criterion of an alert.',
  valuesConfig: {
    met: { description: 'It fits, or nothing was asked.' },
    not_stated: { description: 'The seller did not say.' },
    not_met: { description: 'It does not fit.' },
  },
});

@ObjectType({ description: 'Why a listing matches: one criterion, what was asked and what was found.' })
export class Verdict implements CriterionVerdict {
  @Field(() => Criterion, { description: 'The criterion.' })
  criterion!: Criterion;

  @Field(() => VerdictKind, { description: 'Whether it fits.' })
  verdict!: VerdictKind;

  @Field(() => String, { nullable: true, description: 'What the alert asks, in words; null when it asks nothing.' })
  asked!: string | null;

  @Field(() => String, { nullable: true, description: 'What the listing says, in words; null when it says nothing.' })
  found!: string | null;
}

@ObjectType({ description: 'The way of one match, moment by moment.' })
export class Receipt {
  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the seller listed the car, if stated.' })
  listedAt!: Date | null;

  @Field(() => GraphQLDateTime, { description: 'When we first saw the listing.' })
  seenAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When it was matched.' })
  matchedAt!: Date;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When the message about it was handed to the mail provider; null while it was not.',
  })
  handedOverAt!: Date | null;
}

/** Resolved from a row of `matches`; everything else is loaded when asked for. */
@ObjectType({ description: 'A listing that fits an alert.' })
export class Match {
  @Field(() => GraphQLDateTime, { description: 'When the pair was found.' })
  matchedAt!: Date;

  @Field(() => Boolean, { description: 'Whether the match is told by message; what was there before is only shown.' })
  announced!: boolean;

  @Field(() => ID, { description: 'Number of the alert that it fits.' })
  alertId!: number;

  listingId!: number;
  distance!: number;
}

@ObjectType({ description: 'A page of matches, newest first.' })
export class MatchPage {
  @Field(() => [Match], { description: 'The matches of this page.' })
  nodes!: MatchRow[];

  @Field(() => String, { nullable: true, description: 'Hand this to matches(after:) for older ones.' })
  endCursor!: string | null;

  @Field(() => String, {
    description: 'Hand this to matchAdded(after:) for everything that comes after this page.',
  })
  liveCursor!: string;

  @Field(() => Boolean, { description: 'Whether there are older ones.' })
  hasMore!: boolean;
}

@ObjectType({ description: 'A match, and its place in the order in which they became visible.' })
export class MatchAdded {
  @Field(() => String, { description: 'Hand this to matchAdded(after:) or matchLog(after:) to go on from here.' })
  cursor!: string;

  @Field(() => Match, { description: 'The match.' })
  match!: MatchRow;
}

@ObjectType({ description: 'A part of the log of matches, the oldest first.' })
export class MatchLog {
  @Field(() => [MatchAdded], { description: 'The matches of this part.' })
  nodes!: MatchAdded[];

  @Field(() => String, { nullable: true, description: 'Hand this to matchLog(after:) for what comes next.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are more by now.' })
  hasMore!: boolean;
}
