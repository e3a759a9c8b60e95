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
  description: 'Whether a listing meets one criterion of an alert.',
  valuesConfig: {
    met: { description: 'The listing meets the criterion, or the alert asks for nothing.' },
    not_stated: { description: 'The seller did not say.' },
    not_met: { description: 'The listing does not meet the criterion.' },
  },
});

@ObjectType({ description: 'How a listing meets one criterion: what the alert asks and what the listing says.' })
export class Verdict implements CriterionVerdict {
  @Field(() => Criterion, { description: 'The criterion.' })
  criterion!: Criterion;

  @Field(() => VerdictKind, { description: 'Whether the listing meets the criterion.' })
  verdict!: VerdictKind;

  @Field(() => String, {
    nullable: true,
    description: 'What the alert asks for, in words; null if it asks for nothing.',
  })
  asked!: string | null;

  @Field(() => String, { nullable: true, description: 'What the listing says, in words; null if it says nothing.' })
  found!: string | null;
}

@ObjectType({ description: 'When each step of one match happened.' })
export class Receipt {
  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the seller listed the car; null if not stated.' })
  listedAt!: Date | null;

  @Field(() => GraphQLDateTime, { description: 'When LotWatch first saw the listing.' })
  seenAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When the listing was matched.' })
  matchedAt!: Date;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'When its message was passed to the mail provider; null until then.',
  })
  handedOverAt!: Date | null;
}

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

@ObjectType({ description: 'A page of matches, newest first.' })
export class MatchPage {
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
}

@ObjectType({ description: 'A match with its position in the order in which matches became visible.' })
export class MatchAdded {
  @Field(() => String, {
    description: 'Pass this to matchAdded(after:) or matchLog(after:) to continue after this match.',
  })
  cursor!: string;

  @Field(() => Match, { description: 'The match.' })
  match!: MatchRow;
}

@ObjectType({ description: 'A page of the log of matches, oldest first.' })
export class MatchLog {
  @Field(() => [MatchAdded], { description: 'The matches of this page.' })
  nodes!: MatchAdded[];

  @Field(() => String, { nullable: true, description: 'Pass this to matchLog(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are more matches now.' })
  hasMore!: boolean;
}
