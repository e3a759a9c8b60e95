import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { type RecordReader, type RejectCode, rejectCodes } from '../../domain/facts/listing-facts.ts';

@ObjectType({ description: 'A record of a source that was set aside.' })
export class QuarantinedRecord {
  @Field(() => ID, { description: 'Number of the record.' })
  id!: number;

  @Field(() => String, { description: 'Name of its source.' })
  source!: string;

  @Field(() => String, { nullable: true, description: 'Its id at the source, where it has one.' })
  externalId!: string | null;

  @Field(() => String, { description: `Why, as a code: ${rejectCodes.join(', ')}.` })
  code!: RejectCode;

  @Field(() => String, { description: 'Why, in a sentence.' })
  reason!: string;

  @Field(() => String, { description: 'What came in: as it was up to 64 KB, of more only the beginning.' })
  record!: string;

  @Field(() => String, { description: 'Who reads it: "items", or "feed" for a row of a vehicle feed.' })
  reader!: RecordReader;

  @Field(() => Boolean, { description: 'Whether all of it is kept.' })
  whole!: boolean;

  @Field(() => Boolean, { description: 'Whether it can be read again: not of beginnings and of ids that stood twice.' })
  retryable!: boolean;

  @Field(() => Int, { description: 'How often it came in.' })
  times!: number;

  @Field(() => GraphQLDateTime, { description: 'When it first came in.' })
  firstSeenAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When it last came in.' })
  lastSeenAt!: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was last tried again, in vain.' })
  retriedAt!: Date | null;
}

@ObjectType({ description: 'Records that were set aside, the newest first.' })
export class QuarantinePage {
  @Field(() => [QuarantinedRecord], { description: 'The records of this page.' })
  nodes!: QuarantinedRecord[];

  @Field(() => String, { nullable: true, description: 'Hand this to quarantine(after:) for the page that follows.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older ones.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'How many fit the filter, on all pages.' })
  total!: number;

  @Field(() => Int, { description: 'How many of them can be read again.' })
  retryable!: number;
}

@ObjectType({ description: 'What became of records that were tried again.' })
export class RetryResult {
  @Field(() => Int, { description: 'How many were tried.' })
  tried!: number;

  @Field(() => Int, { description: 'New listings.' })
  accepted!: number;

  @Field(() => Int, { description: 'Listings that changed.' })
  updated!: number;

  @Field(() => Int, { description: 'Listings that were there just so.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Let go, because the listing has come in since.' })
  newer!: number;

  @Field(() => Int, { description: 'Still not understood; they have the reason of today.' })
  rejected!: number;

  @Field(() => String, {
    nullable: true,
    description: 'There are more: hand this to retryQuarantined(after:). null when all have been tried.',
  })
  endCursor!: string | null;
}
