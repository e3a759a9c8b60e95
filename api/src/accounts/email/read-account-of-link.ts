import type { Queryable } from '../../base/database.ts';

/**
 * How an account stands to the address that a link was mailed to: it has it, has it while another is pending, had it and
 * may have it back, or none of these.
 */
export type AccountOfLink = { state: 'kept' | 'former' | 'gone' } | { state: 'pending'; pendingEmail: string };

/** Looks before anybody presses the button; who presses it is looked at again. */
export async function readAccountOfLink(
  queryable: Queryable,
  { userId, email }: { userId: number; email: string },
): Promise<AccountOfLink> {
  const { rows } = await queryable.query<{ isTheirs: boolean; pendingEmail: string | null; wasTheirs: boolean }>(
    `select coalesce(lower(u.email) = lower($2), false) as "isTheirs", u.pending_email as "pendingEmail",
            exists (select from former_emails f where f.user_id = u.id and lower(f.address) = lower($2)) as "wasTheirs"
       from users u where u.id = $1`,
    [userId, email],
  );
  const [account] = rows;
  if (!account) return { state: 'gone' };
  if (!account.isTheirs) return { state: account.wasTheirs ? 'former' : 'gone' };
  return account.pendingEmail === null ? { state: 'kept' } : { state: 'pending', pendingEmail: account.pendingEmail };
}

/** Whether the address may be confirmed for the account, is so already, or is none of the account's. */
export type ConfirmationState = 'open' | 'confirmed' | 'gone';

/** The same for the link that confirms an address. */
export async function readConfirmation(
  queryable: Queryable,
  { userId, email }: { userId: number; email: string },
): Promise<ConfirmationState> {
  const { rows } = await queryable.query<{ state: ConfirmationState }>(
    `select case when lower(pending_email) = lower($2) then 'open'
                 when lower(email) is distinct from lower($2) then 'gone'
                 when email_confirmed_at is not null then 'confirmed'
                 when pending_email is null then 'open' else 'gone' end as state
       from users where id = $1`,
    [userId, email],
  );
  return rows[0]?.state ?? 'gone';
}
