import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  insertAlert,
  insertListing,
  insertMatch,
  insertUser,
  setUpMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { readEndedCars } from '../read-ended-cars.ts';
import type { ClaimedMail } from './claim-mails.ts';
import { validateMails } from './revalidate-mails.ts';

const USERS = 12;

const { db, all } = setUpMails();

/** A mail of each of many users, who lie on several servers of a cluster. */
async function mailsOfAlerts(kind: string, alert: Record<string, unknown> = {}): Promise<ClaimedMail[]> {
  const mails: ClaimedMail[] = [];
  for (let at = 0; at < USERS; at += 1) {
    const userId = await insertUser(db.pool);
    const alertId = await insertAlert(db.pool, userId, alert);
    mails.push({ id: randomUUID(), kind, userId, alertId, to: 'former@example.com' } as ClaimedMail);
  }
  return mails;
}

it('reminders of many users go to the addresses of the owners, in one batch', async () => {
  const mails = await mailsOfAlerts('reminder', { expires_at: new Date(Date.now() + 86_400_000) });
  const verdicts = await validateMails(db.pool, mails, true);
  const owners = new Map((await all('select id, email from users')).map(({ id, email }) => [id, email]));
  expect(mails.map(({ id }) => verdicts.get(id))).toEqual(
    mails.map((mail) => ({ verdict: 'deliver', claim: { ...mail, to: owners.get(mail.userId) } })),
  );
});

it('the sold cars of mails of many users are read in one batch', async () => {
  const mails = await mailsOfAlerts('match');
  for (const { id, alertId } of mails) {
    const listingId = await insertListing(db.pool, { status: 'sold' });
    await insertMatch(db.pool, alertId ?? 0, listingId, { kind: 'sold', status: 'sending', mail_id: id });
  }
  const cars = await readEndedCars(db.pool, 'mail_id', mails);
  expect(mails.map(({ id }) => cars.get(id))).toEqual(
    mails.map(() => ({
      count: 1,
      shown: [{ name: '2018 Toyota Camry', price: 15_400, isSold: true, isSaved: false }],
    })),
  );
});
