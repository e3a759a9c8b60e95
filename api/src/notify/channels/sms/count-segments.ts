import { type Client, limitIdleTime, pipeline, SHORT_IDLE_MS } from '../../../base/database.ts';
import { NOBODY } from '../../../domain/mail-kinds.ts';
import { dailySegments, type TextKind } from '../../../domain/text-limits.ts';
import { enqueueMail } from '../../enqueue-mail.ts';

/** What the operator allows for all texts of the service. */
export interface TextRules {
  /** Where numbers may be texted: ISO 3166 codes, such as 'US'. */
  countries: readonly string[];
  /** Segments that may be sent on a day (UTC). */
  segmentsPerDay: number;
  /** The operators' address, which is notified once the day's segments are used up. */
  supportEmail: string;
}

/** Enqueues the mail to the operators, once a day for texts about cars and once for codes. */
async function notifyOperators(client: Client, kind: TextKind, { segmentsPerDay, supportEmail }: TextRules) {
  const { rows } = await client.query<{ resetsAt: Date }>(
    `insert into text_counts (day, kind, segments, limit_notified)
     values ((now() at time zone 'UTC')::date, $1, 0, true)
     on conflict (day, kind) do update set limit_notified = true where not text_counts.limit_notified
     returning (day + 1)::timestamp at time zone 'UTC' as "resetsAt"`,
    [kind],
  );
  for (const { resetsAt } of rows) {
    const data = { texts: kind, segments: dailySegments(segmentsPerDay)[kind], resetsAt: resetsAt.toISOString() };
    await enqueueMail(client, { kind: 'text_limit', userId: NOBODY, to: supportEmail, data });
  }
}

/**
 * Counts the segments of a text towards the day's limit of the service, or counts nothing where they exceed it. The count
 * stays locked until the transaction ends, so that the limit holds exactly for all processes; call it late. The server ends
 * the transaction of a process that was stopped in it soon, as all texts wait for it. A text that fails gives its segments
 * back.
 * @returns whether the text may be sent; the operators are notified of the first one that may not
 */
export async function countSegments(
  client: Client,
  kind: TextKind,
  segments: number,
  rules: TextRules,
): Promise<boolean> {
  const [, { rowCount }] = await pipeline(client, () => [
    client.query(limitIdleTime(SHORT_IDLE_MS)),
    client.query({
      name: 'texts-count',
      text: `insert into text_counts as c (day, kind, segments)
             select (now() at time zone 'UTC')::date, $1, $2::int4 where $2::int4 <= $3::int4
             on conflict (day, kind) do update set segments = c.segments + excluded.segments
              where c.segments + excluded.segments <= $3::int4
             returning segments`,
      values: [kind, segments, dailySegments(rules.segmentsPerDay)[kind]],
    }),
  ]);
  if (rowCount) return true;
  await notifyOperators(client, kind, rules);
  return false;
}

/** What the count of a day needs of a text. */
export interface CountedText {
  kind: string;
  segments: number;
  createdAt: Date;
}

/** Gives back the segments of a text that failed, to the day on which it was counted. */
export async function giveSegmentsBack(client: Client, { kind, segments, createdAt }: CountedText): Promise<void> {
  await client.query({
    name: 'texts-give-back',
    text: `update text_counts set segments = greatest(0, segments - $2::int4)
            where kind = $1 and day = ($3::timestamptz at time zone 'UTC')::date`,
    values: [kind === 'code' ? 'code' : 'match', segments, createdAt],
  });
}
