import { describe, expect, it } from 'vitest';
import { alertsOf } from '../../test/mail/mail-fixtures.ts';
import { setUpPushes } from '../../test/push/push-fixtures.ts';
import { inTransaction, type Pool } from '../base/database.ts';
import type { Completion } from './adapter.ts';
import { claimAlerts, claimEnqueued, renewLeases as renewMails } from './channels/email/claim-mails.ts';
import { completeMails } from './channels/email/complete-mails.ts';
import { holdMessages } from './channels/hold-messages.ts';
import { claimAlert, claimRetries, renewLeases as renewPushes } from './channels/push/claim-pushes.ts';
import { completePushes } from './channels/push/complete-pushes.ts';
import { deferred } from './complete.ts';

const { db, all, pushed } = setUpPushes();

type Ids = { alertId: number; userId: number };
interface AnyClaim {
  id: string;
  userId: number;
  attempts: number;
  wasTried: boolean;
}
interface Channel {
  claimFirst(ids: Ids): Promise<AnyClaim[]>;
  claimNext(pool: Pool): Promise<AnyClaim[]>;
  complete(completions: readonly Completion<never, never>[]): Promise<void>;
  renew(claims: readonly AnyClaim[]): Promise<Set<string>>;
}

const channels: Record<'mails' | 'pushes', Channel> = {
  mails: {
    claimFirst: async ({ alertId }) => {
      await db.pool.query("update notifications set channel = 'email'");
      return (await claimAlerts(db.pool, await alertsOf(db.pool, alertId), true)).claims;
    },
    claimNext: (pool) => claimEnqueued(pool, 10, 60_000, []),
    complete: (completions) => completeMails(db.pool, completions),
    renew: (claims) => renewMails(db.pool, claims as never),
  },
  pushes: {
    claimFirst: async (ids) => (await claimAlert(db.pool, ids, false)).claims,
    claimNext: (pool) => claimRetries(pool, 10, []),
    complete: (completions) => completePushes(db.pool, completions),
    renew: (claims) => renewPushes(db.pool, claims as never),
  },
};

/** A deferral is recorded twice where its first answer was lost. By then another process may have the next claim. */
describe.each(['mails', 'pushes'] as const)('of %s, the next claim stands when what ended the one before', (table) => {
  const { claimFirst, claimNext, complete, renew } = channels[table];
  const untried = (claims: readonly AnyClaim[]) => claims.map((claim) => deferred(claim as never, 0));
  const tried = (claims: readonly AnyClaim[]) =>
    untried(claims).map((one) => ({ ...one, isTried: true, error: 'The vendor is busy.' }));

  async function expectToStand(next: readonly AnyClaim[]): Promise<void> {
    expect(next).toHaveLength(1);
    expect([...(await renew(next))]).toEqual(next.map(({ id }) => id));
    expect(await claimNext(db.pool)).toEqual([]);
    expect(await all(`select status from ${table}`)).toEqual([{ status: 'sending' }]);
  }

  it('is recorded again: a deferral without a try', async () => {
    const first = await claimFirst(await pushed());
    await complete(untried(first));
    const next = await claimNext(db.pool);
    await complete(untried(first));
    await expectToStand(next);
    expect(next).toMatchObject([{ tries: 1, wasTried: false }]);
  });

  it('is recorded again: several deferrals, with and without a try', async () => {
    let claims = await claimFirst(await pushed());
    const before: Completion<never, never>[] = [];
    for (const deferrals of [tried, untried, untried, tried, untried]) {
      before.push(...deferrals(claims));
      await complete(deferrals(claims));
      claims = await claimNext(db.pool);
    }
    await complete(before);
    await expectToStand(claims);
    expect(claims).toMatchObject([{ tries: 3, wasTried: true }]);
  });

  it('is recorded again: a hold of what was tried before', async () => {
    await complete(tried(await claimFirst(await pushed())));
    const held = await claimNext(db.pool);
    const hold = () =>
      inTransaction(db.pool, (client) =>
        holdMessages(
          client,
          table,
          held.map((claim) => ({ claim: claim as never, hold: { until: new Date(), heldBy: 'snoozed' } })),
        ),
      );
    await hold();
    const next = await claimNext(db.pool);
    await hold();
    await expectToStand(next);
    expect(next).toMatchObject([{ tries: 1, wasTried: true }]);
  });
});
