import { describe, expect, it } from 'vitest';
import {
  emailParts,
  insertAlert,
  insertDueMatch,
  insertListing,
  insertMatch,
  insertUser,
  recordingMailer,
  sendDueMails,
  setUpMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { readToken } from '../../../domain/action-links.ts';

const { db } = setUpMails();

async function send() {
  const mailer = recordingMailer();
  const parts = emailParts(db, mailer);
  await sendDueMails(parts);
  const claimsOf = (url = '') => {
    const reading = readToken(parts.secret, url.slice(url.lastIndexOf('/') + 1), new Date());
    return reading.ok ? reading.claims : reading;
  };
  return { mails: mailer.mails, claimsOf };
}

const linkIn = (text = '', label = '') => text.split('\n').flatMap((line) => line.split(`${label}: `)[1] ?? [])[0];

describe('a mail about cars', () => {
  it('says why each car fits, by the facts of the listing and the criteria of the alert', async () => {
    const { alertId } = await insertDueMatch(db.pool, { color: 'silver', price_min: 10_000 });
    const bare = await insertListing(db.pool, { color: null, year: 2016, price: 12_000, transmission: null });
    await insertMatch(db.pool, alertId, bare);
    const { mails } = await send();
    const [bareCar, silverCar] = (mails[0]?.text ?? '').split('\n\n').filter((part) => part.includes('Why it fits'));
    for (const words of [
      '  + Toyota Camry, as asked',
      '  + 2018 (asked: 2015 to 2020)',
      '  + $15,400 (asked: $10,000 to $50,000)',
      '  + Silver, as asked',
      '  + 8.8 mi away (asked: within 50 mi)',
    ]) {
      expect(silverCar).toContain(words);
    }
    expect(bareCar).toContain('  + 2016 (asked: 2015 to 2020)');
    expect(bareCar).toContain('  - Color not stated (asked: Silver)');
  });

  it('states what is known of a car, and leads to the home of its source where it has no page', async () => {
    await db.pool.query('truncate sources');
    await db.pool.query(`insert into sources (name, kind, settings) values ('north', 'vehicle-feed', $1)`, [
      JSON.stringify({ marketplaceHome: 'https://north.example/' }),
    ]);
    const facts = {
      trim: 'Hybrid XLE',
      fuel: 'hybrid',
      drive: 'awd',
      body: 'sedan',
      title_status: 'rebuilt',
      url: null,
    };
    const alertId = await insertAlert(db.pool, await insertUser(db.pool));
    await insertMatch(db.pool, alertId, await insertListing(db.pool, { ...facts, source: 'north' }));
    await insertMatch(db.pool, alertId, await insertListing(db.pool, { ...facts, fuel: 'gas', source: 'south' }));
    const { mails } = await send();
    const [south, north] = (mails[0]?.text ?? '').split('\n\n').filter((part) => part.includes('Why it fits'));
    const shown = 'Rebuilt title · 61,000 miles · Automatic · Silver · Hybrid XLE';
    expect(north).toContain(`${shown} · Hybrid · AWD · Sedan\n`);
    expect(south).toContain(`${shown} · AWD · Sedan\n`);
    expect(north).toContain('View on Marketplace: https://north.example/\n');
    expect(south).toContain('View on Marketplace: https://marketplace.example/\n');
  });

  it('says how each price compares by the band that is stored with its listing, or that nobody can tell', async () => {
    const { alertId } = await insertDueMatch(db.pool);
    const bands = [
      { band_low: 13_200, band_middle: 15_900, band_high: 18_900, band_cars: 212, price: 13_900 },
      { band_low: 9_000, band_middle: 10_500, band_high: 12_000, band_cars: 1_212, price: 14_000 },
      { band_cars: 3, band_refusal: 'few_cars' },
    ];
    for (const band of bands) await insertMatch(db.pool, alertId, await insertListing(db.pool, band));
    const { mails } = await send();
    for (const part of [mails[0]?.text, mails[0]?.html]) {
      for (const words of [
        'Good price · 8 of 10 cars like this one: $13,200 to $18,900 (middle $15,900), judged from 212 of its model',
        'Above usual prices · 8 of 10 cars like this one: $9,000 to $12,000 (middle $10,500), judged from 1,212 of its model',
        'Not enough cars to tell a fair price.',
      ]) {
        expect(part?.split(words)).toHaveLength(2);
      }
    }
  });

  it('has signed links that act for its alert and its car', async () => {
    const { userId, alertId, listingId } = await insertDueMatch(db.pool);
    const { mails, claimsOf } = await send();
    const text = mails[0]?.text;
    expect(claimsOf(linkIn(text, 'Not this car'))).toEqual({ action: 'dismiss', alertId, userId, listingId });
    expect(claimsOf(linkIn(text, 'Fewer mails'))).toEqual({ action: 'fewer', alertId, userId });
    expect(claimsOf(linkIn(text, 'Unsubscribe'))).toEqual({ action: 'unsubscribe', alertId, userId });
  });

  it.each([
    ['match', {}, {}, 1],
    ['price_drop', {}, { kind: 'price_drop' }, 1],
    ['digest', {}, {}, 21],
    ['summary', {}, { held_by: 'snoozed' }, 1],
  ])('of the kind %s can be unsubscribed from with one click', async (kind, alert, notification, cars) => {
    const alertId = await insertAlert(db.pool, await insertUser(db.pool), alert);
    for (let n = 0; n < cars; n += 1) await insertMatch(db.pool, alertId, await insertListing(db.pool), notification);
    const { mails, claimsOf } = await send();
    expect(mails.map((mail) => mail.kind)).toEqual([kind]);
    const headers = mails[0]?.headers ?? {};
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const [, url] = /^<(https:[^<>]+)>$/.exec(headers['List-Unsubscribe'] ?? '') ?? [];
    expect(claimsOf(url)).toMatchObject({ action: 'unsubscribe', alertId });
    expect(linkIn(mails[0]?.text, 'Unsubscribe')).toBe(url);
  });
});

describe('an alert that sent many mails in a day', () => {
  const sent = (alertId: number, count: number, ago: string, kind = 'match') =>
    db.pool.query(
      `insert into mails (kind, user_id, alert_id, to_address, status, created_at, sent_at)
       select $1, user_id, id, 'x', 'sent', now() - $2::interval, now() - $2::interval
         from alerts, generate_series(1, $3::int) where id = $4`,
      [kind, ago, count, alertId],
    );

  it('says so in the next, and offers to become a digest and to be narrowed', async () => {
    const { alertId, userId } = await insertDueMatch(db.pool);
    await sent(alertId, 20, '23 hours');
    await sent(alertId, 1, '1 hour', 'summary');
    const { mails, claimsOf } = await send();
    expect(mails[0]?.text).toContain('This alert mailed you 21 times in the last 24 hours.');
    expect(claimsOf(linkIn(mails[0]?.text, 'One mail a day instead'))).toEqual({ action: 'daily', alertId, userId });
    expect(linkIn(mails[0]?.text, 'Narrow this alert')).toBe(`https://lotwatch.example/edit-alert/${alertId}`);
  });

  it.each([
    ['twenty', 20, '1 hour', 'match', {}],
    ['more, but not in a day', 30, '25 hours', 'match', {}],
    ['more, but not about cars', 30, '1 hour', 'test', {}],
  ])('says nothing after %s', async (_what, count, ago, kind, alert) => {
    const { alertId } = await insertDueMatch(db.pool, alert);
    await sent(alertId, count, ago, kind);
    const { mails } = await send();
    expect(mails[0]?.text).not.toContain('in the last 24 hours');
  });

  it('says nothing once it is a daily digest', async () => {
    const { alertId } = await insertDueMatch(db.pool, { delivery: 'daily', digest_hour: 12 });
    await db.pool.query("update notifications set created_at = now() - interval '2 days'");
    await sent(alertId, 30, '2 hours');
    const { mails } = await send();
    expect(mails[0]?.kind).toBe('digest');
    expect(mails[0]?.text).not.toContain('in the last 24 hours');
  });
});
