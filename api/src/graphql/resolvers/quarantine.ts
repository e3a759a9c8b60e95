import { GraphQLDateTime } from 'graphql-scalars';
import { Arg, Args, Ctx, Field, ID, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { inTransaction } from '../../base/database.ts';
import { refuseInvalid } from '../../base/errors.ts';
import { type RecordReader, type RejectCode, rejectCodes } from '../../domain/facts/listing-facts.ts';
import { sourceName } from '../../domain/forms/sources/source.ts';
import { writeAuditLog } from '../../entities/audit-log.ts';
import { countQuarantine, dismissQuarantined, type QuarantineFilter, readQuarantine } from '../../intake/quarantine.ts';
import { quarantineSubject } from '../../policies/operations.ts';
import type { Context } from '../context.ts';
import { QuarantineArgs, RecordsArgs } from '../inputs/quarantine.ts';
import { parseId, readNumberCursor, readPageSize } from '../read-arguments.ts';

@ObjectType({ description: 'A record of a source that was quarantined.' })
class QuarantinedRecord {
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
class QuarantinePage {
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

const MAX_IDS = 1000;

/** Other texts are refused before they reach the database or the audit log, and so are other names of sources. */
const codeName = /^\w{1,40}$/;

/** @throws AppError VALIDATION, NOT_FOUND for an id that is none */
function filterOf({ source, code, ids }: RecordsArgs): QuarantineFilter {
  if (ids && ids.length > MAX_IDS) refuseInvalid({ ids: `At most ${MAX_IDS} records can be named at once.` });
  if (source && !sourceName.test(source)) refuseInvalid({ source: 'No source is called so.' });
  if (code && !codeName.test(code)) refuseInvalid({ code: 'There is no such code.' });
  return {
    source: source || undefined,
    code: code || undefined,
    ids: ids?.map((id) => parseId(id, 'Record')),
  };
}

@Resolver()
export class QuarantineResolver {
  @Query(() => QuarantinePage, { description: 'Quarantined records, newest first. Admin only.' })
  async quarantine(
    @Args(() => QuarantineArgs) records: QuarantineArgs,
    @Arg('first', () => Int, { nullable: true, description: 'Page size, 1 to 100; 20 if absent.' })
    first: number | null | undefined,
    @Arg('after', () => String, { nullable: true, description: 'An endCursor; the page starts after it.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<QuarantinePage> {
    const { pool } = context.parts;
    const size = readPageSize(first);
    const filter = filterOf(records);
    const [{ rows, hasMore }, counts] = await Promise.all([
      readQuarantine(pool, filter, { first: size, before: readNumberCursor(after, 'quarantine') }),
      countQuarantine(pool, filter),
    ]);
    return { nodes: rows, hasMore, endCursor: rows.at(-1)?.id.toString() ?? null, ...counts };
  }

  @Mutation(() => RetryResult, {
    description:
      "Reads quarantined records again with today's parser and stores those that it understands; all of them if no argument is given. A call ends after some seconds, and endCursor says where to continue. Admin only.",
  })
  async retryQuarantined(
    @Args(() => RecordsArgs) records: RecordsArgs,
    @Arg('after', () => String, { nullable: true, description: 'The endCursor of the previous call.' })
    after: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<RetryResult> {
    const filter = filterOf(records);
    const from = readNumberCursor(after, 'quarantine');
    const { pool, retryQuarantined } = context.parts;
    // Each batch is a transaction of its own, so the log shows the start even if the retry is interrupted.
    const entry = { actor: 'admin', action: 'quarantine.retry', subject: quarantineSubject({ ...records }) } as const;
    await writeAuditLog(pool, { ...entry, outcome: 'started' });
    const { endId, ...counts } = await retryQuarantined(filter, from);
    await writeAuditLog(pool, { ...entry, outcome: 'done' });
    return { ...counts, endCursor: endId?.toString() ?? null };
  }

  @Mutation(() => Int, {
    description:
      'Removes records from the quarantine and returns how many. A record that comes in again is quarantined again. Admin only.',
  })
  async dismissQuarantined(@Args(() => RecordsArgs) records: RecordsArgs, @Ctx() context: Context): Promise<number> {
    const filter = filterOf(records);
    if (!filter.ids && filter.source === undefined && filter.code === undefined) {
      refuseInvalid({ ids: 'Name the records by ids, source or code.' });
    }
    return inTransaction(context.parts.pool, async (client) => {
      const subject = quarantineSubject({ ...records });
      await writeAuditLog(client, { actor: 'admin', action: 'quarantine.dismiss', subject, outcome: 'done' });
      return dismissQuarantined(client, filter);
    });
  }
}
