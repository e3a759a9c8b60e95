import { Arg, Args, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { inTransaction } from '../../base/database.ts';
import { writeAuditLog } from '../../entities/shared/write-audit-log.ts';
import { countQuarantine, dismissQuarantined, type QuarantineFilter, readQuarantine } from '../../intake/quarantine.ts';
import { quarantineSubject } from '../../policies/operations.ts';
import type { Context } from '../context.ts';
import { QuarantineArgs, RecordsArgs } from '../inputs/quarantine.ts';
import { readNumberCursor, readPageSize, refuseArgument } from '../page-size.ts';
import { parseId } from '../parse-id.ts';
import { QuarantinePage, RetryResult } from '../types/quarantine.ts';

const MAX_IDS = 1000;

/** What no source and no code is called like is told apart before it is looked for, and written down. */
const sourceName = /^[a-z0-9-]{1,40}$/;
const codeName = /^\w{1,40}$/;

/** @throws AppError VALIDATION, NOT_FOUND for an id that is none */
function filterOf({ source, code, ids }: RecordsArgs): QuarantineFilter {
  if (ids && ids.length > MAX_IDS) refuseArgument('ids', `At most ${MAX_IDS} records can be named at once.`);
  if (source && !sourceName.test(source)) refuseArgument('source', 'No source is called so.');
  if (code && !codeName.test(code)) refuseArgument('code', 'There is no such code.');
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
    // Each batch is a transaction: that it began is known even where it never came to its end.
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
      refuseArgument('ids', 'Say which records: by ids, source or code.');
    }
    return inTransaction(context.parts.pool, async (client) => {
      const subject = quarantineSubject({ ...records });
      await writeAuditLog(client, { actor: 'admin', action: 'quarantine.dismiss', subject, outcome: 'done' });
      return dismissQuarantined(client, filter);
    });
  }
}
