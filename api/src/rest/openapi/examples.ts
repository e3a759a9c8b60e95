import type { ErrorCode } from '../../base/errors.ts';
import { alertSchema } from '../../domain/forms/alert.ts';
import { alertLimitReached } from '../../domain/forms/plan-refusals.ts';
import { shownAlertFields } from '../../entities/shown-alert-fields.ts';
import type { JsonSchema } from '../calls/call.ts';
import { numberId } from './answer-schema.ts';

/** An example of each field that an alert's owner edits: its default where none is given here. */
export const alertExamples: Readonly<Record<string, unknown>> = {
  ...alertSchema.getDefault(),
  make: 'toyota',
  model: 'camry',
  yearMin: 2015,
  yearMax: 2022,
  location: 'Austin, TX',
  radius: 50,
  priceMin: 4_000,
  priceMax: 18_000,
  color: 'any',
  mileageMax: 90_000,
  models: ['corolla', 'honda/accord'],
  transmission: 'automatic',
  titleStatus: 'clean',
  excludeWords: ['as is', 'parts'],
  quietHours: { from: '22:00', to: '07:00', days: [0, 1, 2, 3, 4, 5, 6] },
};

const alertValues: Readonly<Record<string, unknown>> = {
  id: 7,
  ...alertExamples,
  place: 'Austin, TX',
  snoozedUntil: null,
  isActive: true,
  pausedByPlan: false,
  createdAt: '2026-03-02T14:05:09.120Z',
  expiresAt: '2026-04-13T14:05:09.120Z',
  daysRemaining: 42,
  matchCount: 3,
  newCount: 1,
};
const alert = Object.fromEntries([...shownAlertFields, 'newCount'].map((name) => [name, alertValues[name]]));

const priceBand = { low: 12_900, middle: 15_100, high: 17_700, n: 212, rating: 'good', reason: null };
const caution = {
  kind: 'prepayment',
  reason: 'The advert says “deposit first”. See the car before you pay anything.',
};

const listing = {
  id: 1204,
  carId: 1204,
  title: '2017 Toyota Camry SE',
  price: 13_900,
  imageUrl: 'https://photos.example.com/1204.jpg',
  images: ['https://photos.example.com/1204.jpg'],
  trim: 'SE',
  mileage: 61_200,
  transmission: 'automatic',
  fuel: 'gas',
  drive: 'fwd',
  body: 'sedan',
  titleStatus: 'clean',
  seller: 'private',
  color: 'silver',
  condition: 'used',
  location: { reverse_geocode: { city: 'Round Rock', state: 'TX' } },
  latitude: 30.51,
  longitude: -97.68,
  distance: 17.4,
  year: 2017,
  make: 'toyota',
  model: 'camry',
  isNew: true,
  viewed: false,
  saved: true,
  hidden: false,
  note: 'Ask about the tires.',
  status: 'for_sale',
  url: 'https://marketplace.example.com/item/1204',
  createdAt: '2026-03-03T09:12:44.000Z',
  alertIds: [7],
  priceBand,
  daysOnMarket: 12,
  relists: 1,
  cautions: [caution],
};

const verdict = { criterion: 'price', verdict: 'met', asked: 'up to $18,000', found: '$13,900' };

const receipt = {
  listedAt: '2026-03-03T09:12:44.000Z',
  seenAt: '2026-03-03T09:12:45.820Z',
  matchedAt: '2026-03-03T09:12:45.910Z',
  handedOverAt: null,
  deliveredAt: null,
};

const match = {
  matchedAt: '2026-03-03T09:12:45.910Z',
  announced: true,
  foundByBackfill: false,
  distance: 17.4,
  alertId: 7,
  listing,
  verdicts: [verdict],
  receipt,
};

const status = {
  checkedAt: '2026-03-03T09:12:50.000Z',
  isWorking: false,
  sources: [
    {
      name: 'dealer-feed',
      state: 'failing',
      lastSuccessAt: '2026-03-03T08:40:10.000Z',
      lagP50Ms: 2_100,
      lagP95Ms: 9_400,
      lagListings: 812,
    },
  ],
  channels: [
    {
      channel: 'email',
      lastDay: { matches: 1_204, p50Ms: 2_100, p95Ms: 4_000 },
      last30Days: { matches: 8_310, p50Ms: 2_200, p95Ms: 4_600 },
      delayedSince: null,
    },
  ],
  incidents: [{ subject: 'dealer-feed', message: 'This source cannot be read.', since: '2026-03-03T08:40:10.000Z' }],
};

const currentSubscription = {
  planId: 1,
  subscriptionPlanId: 1,
  planName: 'Free',
  status: 'active',
  currentPeriodEnd: null,
  graceEndsAt: null,
  alertsToResume: 0,
};

/** An example of each object that the API returns, by the name of its schema. */
export const examples: Readonly<Record<string, unknown>> = {
  AlertRefusal: {
    code: 'VALIDATION',
    message: 'Car make is required',
    fields: { make: 'Car make is required' },
    needsUpgrade: null,
  },
  AlertOutcome: { index: 0, alert, error: null },
  QuietHours: alertExamples.quietHours,
  User: {
    id: 7,
    username: 'carbuyer',
    email: 'carbuyer@example.com',
    pendingEmail: null,
    phone: null,
    emailConfirmed: true,
    phoneConfirmed: false,
    timeZone: 'America/Chicago',
    newCount: 1,
  },
  Alert: alert,
  Listing: listing,
  PriceBand: priceBand,
  Caution: caution,
  Verdict: verdict,
  Receipt: receipt,
  Match: match,
  MatchAdded: { cursor: 'MTIzNDU2LjEyMDQuNw', match },
  ListingLocation: { reverse_geocode: { city: 'Round Rock', state: 'TX' } },
  ReverseGeocode: { city: 'Round Rock', state: 'TX' },
  Plan: {
    id: 1,
    name: 'Free',
    description: 'For one car at a time',
    price: '0',
    monthlyPrice: '0',
    alertLimit: 1,
    isPopular: false,
    features: ['1 active alert'],
  },
  CurrentSubscription: currentSubscription,
  CanCreateAlert: { canCreateAlert: true, needsUpgrade: false, alertsUsed: 0, alertLimit: 1, alertsToResume: 0 },
  SellerText: {
    description: 'One owner, rebuilt title in hand. New tires this spring.',
    factsRead: [
      { fact: 'titleStatus', value: 'Rebuilt title', from: 'description', words: 'rebuilt title in hand' },
      { fact: 'mileage', value: '61,200 miles', from: 'field', words: null },
    ],
  },
  FactRead: { fact: 'trim', value: 'SE', from: 'title', words: '2017 Toyota Camry SE' },
  Status: status,
  SourceStatus: status.sources[0],
  ChannelStatus: status.channels[0],
  DeliveryDelays: status.channels[0]?.lastDay,
  Incident: status.incidents[0],
  CheckoutMetadata: { planId: '2' },
  CheckoutSession: { id: 'cs_test_a1b2c3', status: 'complete', metadata: { planId: '2' } },
  VerifyResult: {
    message: 'You are on the Starter plan.',
    paid: true,
    subscription: { ...currentSubscription, planId: 2, subscriptionPlanId: 2, planName: 'Starter' },
  },
  DeletionRequest: {
    id: 3,
    requestId: 'DR-7F3K2Q',
    userId: 7,
    username: 'carbuyer',
    reason: 'I have found my car.',
    status: 'pending',
    notes: null,
    createdAt: '2026-03-09T18:30:00.000Z',
  },
  Message: { message: 'What was done, in a sentence.' },
};

const failures: Readonly<Record<ErrorCode, { message: string; [field: string]: unknown }>> = {
  VALIDATION: { message: 'Email is required', fields: { email: 'Email is required' } },
  MALFORMED: { message: 'The request could not be read.' },
  UNAUTHENTICATED: { message: 'Please sign in first.' },
  FORBIDDEN: { message: 'Requests from pages of this origin are not allowed.' },
  CODE_NEEDED: { message: 'Please enter the code from your authenticator app.' },
  PASSWORD_NEEDED: { message: 'Please enter your current password to go on.' },
  PLAN_LIMIT: { message: alertLimitReached, needsUpgrade: true },
  PLAN_REQUIRED: { message: 'Text notifications need a paid plan.', needsUpgrade: true },
  NOT_FOUND: { message: 'Not found' },
  METHOD_NOT_ALLOWED: { message: 'Only GET is accepted here.' },
  CONFLICT: { message: 'This Idempotency-Key was used for another request.' },
  TOO_LARGE: { message: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { message: 'Send application/json.' },
  RATE_LIMITED: { message: 'Too many requests. Please try again in a minute.' },
  INTERNAL: { message: 'Something went wrong on our side.', incidentId: 'b1946ac9' },
  VENDOR: { message: 'The payment provider does not answer.' },
  NOT_CONFIGURED: { message: 'Payments are not set up here.' },
  UNAVAILABLE: { message: 'Please try again in a moment.' },
};

/** An example of an error's body. */
export const errorExample = (code: ErrorCode) => ({ ...failures[code], code });

/** Makes an example response from the examples of its objects; other values come from their schemas. */
export function answerExample(schema: JsonSchema): unknown {
  if (typeof schema.$ref === 'string') return examples[schema.$ref.split('/').at(-1) ?? ''];
  if (schema === numberId) return 7;
  if (schema.type === 'array') return [answerExample(schema.items as JsonSchema)];
  if (schema.type !== 'object') return schema.const ?? [schema.enum ?? schema.examples].flat()[0];
  const [outcome] = (schema.anyOf ?? []) as { required: string[] }[];
  const properties = Object.entries(schema.properties as Record<string, JsonSchema>);
  const shown = properties.filter(([name]) => !outcome || outcome.required.includes(name));
  return Object.fromEntries(shown.map(([name, inner]) => [name, answerExample(inner)]));
}
