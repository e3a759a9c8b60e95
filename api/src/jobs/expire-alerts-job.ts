import { expireAlerts } from '../alerts/expire-alerts.ts';
import { inTransaction, type Pool } from '../base/database.ts';
import { enqueueExpiryMails, enqueueReminders } from '../notify/enqueue-reminders.ts';
import type { Job } from './job.ts';

interface ExpireParts {
  pool: Pool;
  /** Whether an unconfirmed address gets no mails. */
  confirmEmail: boolean;
  /** Aborted at shutdown: the job stops after the current batch. */
  signal: AbortSignal;
}

/** Each mail is queued from rows that its transaction has locked, so that two workers at once share the alerts. */
const expireBatch = ({ pool, confirmEmail }: ExpireParts): Promise<number> =>
  inTransaction(pool, async (client) => {
    const ended = await expireAlerts(client);
    await enqueueExpiryMails(client, ended, confirmEmail);
    return ended.length;
  });

/** Makes alerts inactive whose time has come and mails their owners, and reminds those whose alert ends soon. */
export const expireAlertsJob: Job<ExpireParts> = {
  name: 'expire-alerts',
  everyMs: 15_000,
  async run(parts) {
    const { pool, confirmEmail, signal } = parts;
    while (!signal.aborted && (await expireBatch(parts)) > 0);
    while (!signal.aborted && (await enqueueReminders(pool, confirmEmail)) > 0);
    return undefined;
  },
};
