import { Criterion, type Verdict, VerdictKind } from '../../src/domain/criteria/criteria.ts';
import type { CarMailKind, MailData } from '../../src/domain/mail-kinds.ts';
import * as account from '../../src/messages/account-mails.ts';
import { type AlertFoot, type AlertMail, expiredMail, reminderMail, testMail } from '../../src/messages/alert-mails.ts';
import * as billing from '../../src/messages/billing-mails.ts';
import type { EndedCar } from '../../src/messages/ended-cars.ts';
import { endedMail } from '../../src/messages/ended-mail.ts';
import type { MailContent } from '../../src/messages/mail-layout.ts';
import { type Flood, type MailCar, type MatchMail, matchMail } from '../../src/messages/match-mails.ts';
import * as security from '../../src/messages/security-mails.ts';

const site = 'https://lotwatch.example';
/** As long as a signed token is. */
const signed = (action: string) => `${site}/m/${action}.${'x'.repeat(170)}`;

export const sampleFoot: AlertFoot = {
  alertName: 'Toyota Camry',
  alertUrl: `${site}/alert/5`,
  renewUrl: signed('renew'),
  pauseUrl: signed('pause'),
  fewerUrl: signed('fewer'),
  unsubscribeUrl: signed('unsubscribe'),
  expiresOn: 'Jan 2, 2027',
  ended: false,
};

/** The verdicts of a Camry for an alert that bounds everything. @param changed found values; null: not stated */
export function sampleVerdicts(changed: Partial<Record<Criterion, string | null>> = {}): Verdict[] {
  const rows: [Criterion, string, string][] = [
    [Criterion.make, 'Toyota', 'Toyota'],
    [Criterion.model, 'Camry', 'Camry'],
    [Criterion.year, '2015 to 2020', '2018'],
    [Criterion.price, 'up to $50,000', '$15,400'],
    [Criterion.color, 'Silver', 'Silver'],
    [Criterion.image, 'With a photo', 'Photo'],
    [Criterion.distance, 'Within 50 miles', '8.8 miles'],
  ];
  return rows.map(([criterion, asked, met]) => {
    const found = criterion in changed ? (changed[criterion] ?? null) : met;
    return { criterion, asked, found, verdict: found === null ? VerdictKind.not_stated : VerdictKind.met };
  });
}

export const sampleCar = (overrides: Partial<MailCar> = {}): MailCar => ({
  title: '2018 Toyota Camry SE',
  price: 15_400,
  priceBefore: null,
  band: { low: 13_200, middle: 15_900, high: 18_900, n: 212 },
  bandRefusal: null,
  caution: null,
  photo: 'https://photos.example/1.jpg',
  href: 'https://marketplace.example/1',
  mileage: 61_000,
  transmission: 'automatic',
  color: 'silver',
  place: 'Pasadena, CA',
  distanceMiles: 8.83,
  verdicts: sampleVerdicts(),
  dismissUrl: signed('dismiss'),
  ...overrides,
});

export const sampleAlert: AlertMail = {
  alertName: 'Toyota Camry',
  alertPlace: 'Los Angeles, CA',
  reason: 'Toyota Camry, 2015–2020, within 50 mi',
  foot: sampleFoot,
};

export const sampleMatchMail = (cars: readonly MailCar[], overrides: Partial<MatchMail> = {}): MatchMail => ({
  ...sampleAlert,
  kind: 'match',
  cars: cars.slice(0, 20),
  count: cars.length,
  flood: null,
  ...overrides,
});

export const sampleFlood: Flood = { sent: 57, dailyUrl: signed('daily'), narrowUrl: `${site}/edit-alert/5` };

/** A car whose seller writes as much as is kept. */
const longCar = sampleCar({
  title: '& '.repeat(250).trim(),
  priceBefore: 9_999_999,
  caution: `The advert says “${'W'.repeat(80)}”. See the car before you pay anything.`,
  price: 9_500_000,
  href: `https://marketplace.example/${'a'.repeat(150)}`,
  photo: `${site}/photos/1234567890-abcdefghijklmnop/0?v=12345678`,
  place: `Rancho Santa Margarita & ${'W'.repeat(75)}, CA`,
  verdicts: sampleVerdicts({ [Criterion.color]: null }),
});

const long = 'W'.repeat(200);
const when = 'Nov 23, 2026, 12:40 PM EST';
const about = { username: 'W'.repeat(40), when, resetUrl: `${site}/forgot-password` };
const grace = { plan: 'Starter', keptUntil: 'Jan 2, 2027', plansUrl: `${site}/subscription` };
const support = 'support@lotwatch.example';
const twenty = Array.from({ length: 1_200 }, () => longCar);

/** As many as a mail names, with the longest name of the catalogue. */
const endedCars: readonly EndedCar[] = Array.from({ length: 20 }, (_, index) => ({
  name: '2018 Mercedes-Benz Sprinter 4500',
  price: 9_999_999,
  isSold: index % 2 === 0,
  isSaved: index % 3 === 0,
}));

/** A mail of every kind, with the largest content that it can have. */
export const sampleMails: Readonly<Record<keyof MailData | CarMailKind, MailContent>> = {
  match: matchMail(sampleMatchMail(twenty.slice(0, 20), { flood: sampleFlood })),
  price_drop: matchMail(sampleMatchMail(twenty.slice(0, 20), { kind: 'price_drop' })),
  digest: matchMail(sampleMatchMail(twenty, { kind: 'digest', flood: sampleFlood })),
  summary: matchMail(sampleMatchMail(twenty, { kind: 'summary', flood: sampleFlood })),
  sold: endedMail(sampleAlert, endedCars, 500),
  test: testMail(sampleAlert),
  reminder: reminderMail(sampleAlert),
  expired: expiredMail({ ...sampleAlert, foot: { ...sampleFoot, ended: true } }),
  confirm: account.confirmMail({ ...about, confirmUrl: signed('confirm') }),
  address_taken: account.addressTakenMail({ ...about, signInUrl: `${site}/auth` }),
  reset: account.resetMail({ ...about, resetUrl: signed('reset'), isNeeded: true }),
  new_device: account.newDeviceMail({ ...about, browser: long, system: long, devicesUrl: `${site}/settings/devices` }),
  contact: account.contactMail({ name: long, email: support, subject: long, message: '& '.repeat(2_500) }),
  address_change: account.addressChangeMail({
    ...about,
    newAddress: `${long}@x.example`,
    undoUrl: signed('undo'),
    supportEmail: support,
  }),
  address_changed: account.addressChangedMail({
    ...about,
    newAddress: null,
    undoUrl: signed('undo'),
    supportEmail: support,
  }),
  webhook_paused: security.webhookPausedMail({ host: long, because: 'gone', settingsUrl: `${site}/settings/api` }),
  key_changed: security.keyChangedMail(about, {
    what: 'replaced',
    name: long,
    prefix: 'lw_abc',
    mayWrite: true,
    worksUntil: when,
  }),
  webhook_changed: security.webhookChangedMail(about, { what: 'moved', host: long, hostBefore: long, byKey: true }),
  push_added: security.pushAddedMail(about, { browser: long, system: long }),
  password_changed: security.passwordChangedMail(
    about,
    {
      how: 'reset',
      ended: {
        apiKeys: Array.from({ length: 20 }, () => ({ name: long, prefix: 'lw_abc' })),
        webhooks: Array.from({ length: 10 }, () => long),
      },
    },
    support,
  ),
  second_factor_changed: security.secondFactorMail(about, 'recovery_code_used', support),
  text_cap: account.textCapMail({
    ...about,
    cap: 1_000,
    resetsOn: 'January 1, 2027',
    plansUrl: `${site}/subscription`,
  }),
  text_limit: account.textLimitMail({
    texts: 'code',
    segments: 100_000,
    resetsAt: 'January 1, 2027, 00:00',
    adminUrl: `${site}/admin`,
  }),
  plan_changed: billing.planChangedMail({
    fromPlan: 'Elite',
    toPlan: 'Free',
    alertLimit: 1,
    event: 'lapsed',
    isUpgrade: false,
    paused: 199,
    textsOff: 199,
    toResume: 0,
    alertsUrl: `${site}/my-alerts`,
  }),
  plan_ending: billing.planEndingMail({ plan: 'Starter', endsOn: 'Jan 2, 2027', plansUrl: `${site}/subscription` }),
  payment_failed: billing.paymentFailedMail(grace),
  grace_ending: billing.graceEndingMail(grace),
  idle_account: account.idleAccountMail({ ...about, deletesOn: 'January 1, 2027', signInUrl: `${site}/auth` }),
};

/** A photo that the browser tests draw. */
const photoOf = (body: string, color: string) => `${site}/drawn-photos/${body}-${color}-1-0.svg`;
const exampleCars = [
  sampleCar({ photo: photoOf('sedan', 'silver') }),
  sampleCar({
    title: '2016 Toyota Camry XLE, one owner, clean title, new tires, no accidents, garage kept',
    photo: photoOf('coupe', 'blue'),
    price: 12_900,
    priceBefore: 14_500,
    color: null,
    place: 'Rancho Santa Margarita, CA',
    distanceMiles: 41.4,
    verdicts: sampleVerdicts({ [Criterion.year]: '2016', [Criterion.price]: '$12,900', [Criterion.color]: null }),
  }),
  sampleCar({
    title: '2019 toyota camry',
    photo: null,
    price: null,
    mileage: null,
    transmission: null,
    place: null,
    verdicts: sampleVerdicts({ [Criterion.year]: '2019', [Criterion.price]: null }),
  }),
];
const examples = (count: number) => Array.from({ length: count }, (_, at) => exampleCars[at % 3] ?? sampleCar());

const exampleEnded: readonly EndedCar[] = [
  { name: '2018 Toyota Camry', price: 15_400, isSold: true, isSaved: true },
  { name: '2016 Toyota Camry', price: 12_900, isSold: false, isSaved: false },
  { name: '2019 Toyota Camry', price: null, isSold: true, isSaved: false },
];

/** Mails as buyers get them, for pictures. */
export const exampleMails: Readonly<Record<string, MailContent>> = {
  match: matchMail(sampleMatchMail(examples(1))),
  several: matchMail(sampleMatchMail(examples(3))),
  digest: matchMail(sampleMatchMail(examples(23), { kind: 'digest' })),
  summary: matchMail(sampleMatchMail(examples(6), { kind: 'summary' })),
  flood: matchMail(sampleMatchMail(examples(1), { flood: sampleFlood })),
  sold: endedMail(sampleAlert, exampleEnded.slice(0, 1), 1),
  'several-sold': endedMail(sampleAlert, exampleEnded, 3),
  reminder: reminderMail(sampleAlert),
  confirm: account.confirmMail({ username: 'ada', confirmUrl: signed('confirm') }),
};
