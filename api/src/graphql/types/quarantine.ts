import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, Int, ObjectType } from 'type-graphql';
import { type RecordReader, type RejectCode, rejectCodes } from '../../domain/facts/listing-facts.ts';

@ObjectType({ description: 'A record of a source that was quarantined.' })
export class QuarantinedRecord {
  @Field(() => ID, { description: 'Number of the record.' })
  id!: number;

  @Field(() => String, { description: 'Name of its source.' })
  source!: string;

  @Field(() => String, { nullable: true, description: "The record's id at the source, if it has one." })
  externalId!: string | null;

  @Field(() => String, { description: `Why, as a code: ${rejectCodes.join(', ')}.` })
  code!: RejectCode;

  @Field(() => String, { description: 'Why, in a sentence.' })
  reason!: string;

  @Field(() => String, { description: 'The record as received; of a record above 64 KB only the beginning.' })
  record!: string;

  @Field(() => String, { description: 'The parser that reads it: "items", or "feed" for a row of a vehicle feed.' })
  reader!: RecordReader;

  @Field(() => Boolean, { description: 'Whether the whole record is stored.' })
  whole!: boolean;

  @Field(() => Boolean, { description: "Whether it can be retried. Truncated records and repeated ids can't be." })
  retryable!: boolean;

  @Field(() => Int, { description: 'How many times it came in.' })
  times!: number;

  @Field(() => GraphQLDateTime, { description: 'When it first came in.' })
  firstSeenAt!: Date;

  @Field(() => GraphQLDateTime, { description: 'When it last came in.' })
  lastSeenAt!: Date;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When the last unsuccessful retry was.' })
  retriedAt!: Date | null;
}

@ObjectType({ description: 'A page of quarantined records, newest first.' })
export class QuarantinePage {
  @Field(() => [QuarantinedRecord], { description: 'The records of this page.' })
  nodes!: QuarantinedRecord[];

  @Field(() => String, { nullable: true, description: 'Pass this to quarantine(after:) to read the next page.' })
  endCursor!: string | null;

  @Field(() => Boolean, { description: 'Whether there are older entries.' })
  hasMore!: boolean;

  @Field(() => Int, { description: 'How many records match the filter, on all pages.' })
  total!: number;

  @Field(() => Int, { description: 'How many of them can be retried.' })
  retryable!: number;
}

@ObjectType({ description: 'The result of retrying quarantined records.' })
export class RetryResult {
  @Field(() => Int, { description: 'How many records were retried.' })
  tried!: number;

  @Field(() => Int, { description: 'New listings.' })
  accepted!: number;

  @Field(() => Int, { description: 'Listings that changed.' })
  updated!: number;

  @Field(() => Int, { description: 'Listings that had not changed.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Records dropped because the listing has come in again since.' })
  newer!: number;

  @Field(() => Int, { description: "Records still not understood; they now carry today's reason." })
  rejected!: number;

  @Field(() => String, {
    nullable: true,
    description: 'Pass this to retryQuarantined(after:) to continue; null once all records have been retried.',
  })
  endCursor!: string | null;
}
