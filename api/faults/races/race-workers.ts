import { setTimeout as sleep } from 'node:timers/promises';
import { expireAlerts } from '../../src/alerts/expire-alerts.ts';
import { inTransaction, makePool } from '../../src/base/database.ts';
import { silentLog } from '../../src/base/log.ts';
import { purgeListings } from '../../src/intake/purge-listings.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { makeMailSender } from '../../src/notify/send-due-mails.ts';
import type { Mailer, OutgoingMail } from '../../src/vendors/mail.ts';

export interface Workers {
  /** Handed over, by the alert they are about. */
  mailsOf(alertId: number): readonly OutgoingMail[];
  broken: unknown[];
  stop(): Promise<void>;
}

const IDLE_MS = 3;
const SITE = {
  publicUrl: 'http://localhost:4000',
  secret: 'races'.repeat(8),
  supportEmail: 'help@example.test',
  marketplaceHome: 'https://market.example',
};

/** Two searches of either side, two senders, expiry and the leaving of old listings, without a pause, as two workers would run them. */
export function startWorkers(url: string): Workers {
  const pools = [makePool(url, 6, 'race-worker'), makePool(url, 10, 'race-sender')] as const;
  const [worker, sender] = pools;
  const broken: unknown[] = [];
  const mails = new Map<number, OutgoingMail[]>();
  let over = false;

  async function go(work: () => Promise<number>): Promise<void> {
    while (!over) {
      const done = await work().catch((error: unknown) => {
        broken.push(error);
        return 0;
      });
      if (done === 0) await sleep(IDLE_MS);
    }
  }

  const mailer: Mailer = {
    async send(mail) {
      const alertId = mail.alertId ?? 0;
      const known = mails.get(alertId);
      if (known) known.push(mail);
      else mails.set(alertId, [mail]);
    },
    wasSent: async (id) => [...mails.values()].some((sent) => sent.some((mail) => mail.id === id)),
  };
  const log = {
    ...silentLog,
    error(_message: string, data?: Record<string, unknown>) {
      broken.push(data?.error ?? data);
    },
  };
  const makeSender = () => {
    const send = makeMailSender({ ...SITE, pool: sender, mailer, log, confirmEmail: true, parallel: 3 });
    return async () => {
      const { sent, dropped } = await send();
      return sent + dropped;
    };
  };
  const loops = [
    go(() => matchPendingListings(worker, 6)),
    go(() => matchPendingListings(worker, 6)),
    go(() => matchPendingAlerts(worker, 4)),
    go(() => matchPendingAlerts(worker, 4)),
    go(makeSender()),
    go(makeSender()),
    go(async () => (await expireAlerts(worker)).length),
    go(async () => (await inTransaction(worker, (client) => purgeListings(client))).removed),
  ];
  return {
    mailsOf: (alertId) => mails.get(alertId) ?? [],
    broken,
    async stop() {
      over = true;
      await Promise.all(loops);
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}
