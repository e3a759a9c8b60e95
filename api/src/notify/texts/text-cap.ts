import type { Client } from '../../base/database.ts';
import { countedTexts } from '../../entities/shared/counted-texts.ts';
import { queueMail } from '../../entities/shared/queue-mail.ts';
import type { TextedAlert } from './lock-texted-alert.ts';

/** How many texts of a user count towards this month's cap, what is under way among them. Their row must be held. */
export async function readMonthsTexts(client: Client, userId: number): Promise<number> {
  const { rows } = await client.query<{ used: number }>({
    name: 'texts-of-month',
    text: `select count(*)::int as used from texts where user_id = $1 and ${countedTexts}`,
    values: [userId],
  });
  return rows[0]?.used ?? 0;
}

/** Tells once a month, and once more after the plan's cap has changed, that it is reached. */
export async function tellCapReached(
  client: Client,
  owner: Pick<TextedAlert, 'userId' | 'email' | 'isEmailConfirmed' | 'capTold'>,
  cap: number,
  confirmEmail: boolean,
): Promise<void> {
  const { rows } = await client.query<{ told: string; resetsAt: Date }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM') || '/' || $1::text as told,
            (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as "resetsAt"`,
    [cap],
  );
  const [month] = rows;
  if (!month || month.told === owner.capTold) return;
  await client.query('update users set text_cap_told = $2 where id = $1', [owner.userId, month.told]);
  if (owner.email === null || (confirmEmail && !owner.isEmailConfirmed)) return;
  const data = { cap, resetsAt: month.resetsAt.toISOString() };
  await queueMail(client, { kind: 'text_cap', userId: owner.userId, to: owner.email, data });
}
