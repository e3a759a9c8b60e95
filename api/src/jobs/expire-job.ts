import { expireAlerts } from '../alerts/expire-alerts.ts';
import { inTransaction, type Pool } from '../base/database.ts';
import { queueExpiryMails, queueReminders } from '../notify/queue-reminders.ts';
import type { Job } from './schedule/runner.ts';

export interface ExpireParts {
  pool: Pool;
  /** Whether an unconfirmed address gets no mails. */
  confirmEmail: boolean;
  /** Aborted at shutdown: it stops after the batch that it is at. */
  signal: AbortSignal;
}

/**
 * Makes alerts inactive whose time has come and mails their owners, and reminds those whose alert ends soon. Two workers
 * that run it at once share the alerts: a mail is queued from the rows that its transaction has locked.
 */
export function expireJob({ pool, confirmEmail, signal }: ExpireParts): Job {
  const expireBatch = (): Promise<number> =>
    inTransaction(pool, async (client) => {
      const ended = await expireAlerts(client);
      await queueExpiryMails(client, ended, confirmEmail);
      return ended.length;
    });
  return {
    name: 'expire-alerts',
    everyMs: 15_000,
    async run() {
      while (!signal.aborted && (await expireBatch()) > 0);
      while (!signal.aborted && (await queueReminders(pool, confirmEmail)) > 0);
      return undefined;
    },
  };
}
