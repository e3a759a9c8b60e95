import { NOBODY } from '../domain/mail-kinds.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { lastSeenAt, notificationsReadAt } from '../entities/user-activity.ts';
import { dealerTables } from './dealer-tables.ts';
import { alertColumns, owned, type PersonalTable, sameInAll } from './personal-table.ts';

/** These tables have too many rows for an index by user; the rows are found by the person's alerts. */
const ownedByAlert = `alert_id = any (:alerts) and ${owned}`;
const ownMails = `(${ownedByAlert} or alert_id is null and ${owned})`;

/** By the name in the export. The order is the one in which rows can be erased; the export is in the reverse order. */
export const personalTables = {
  sessions: {
    table: 'session',
    owned: "sess ->> 'userId' = (:user)::text",
    exported: 'id last_used_at',
    expressions: {
      sess: `sess ->> 'browser' as browser, sess ->> 'system' as system,
        to_timestamp((sess ->> 'passwordGivenAt')::float8 / 1000) as "passwordGivenAt"`,
      created_at: 'created_at as "signedInAt"',
      expire: 'expire as "expiresAt"',
    },
    leftOut: { 'whoever has it is signed in': 'sid' },
  },
  contactMessages: {
    table: 'contact_messages',
    owned,
    unlinked: 'user_id is null and (lower(email) = any (:names) or lower(btrim(name)) = any (:names))',
    // Anybody can type any address into the form, so that the export only has messages from a confirmed address.
    unlinkedExported: 'user_id is null and lower(email) = any (:names)',
    exported: 'id name email subject message created_at',
    leftOut: sameInAll,
  },
  suppressedAddresses: {
    table: 'suppressed_addresses',
    // Anybody can type any address, so that it is theirs who has confirmed it.
    owned: 'address = (select lower(email) from users where id = :user and email_confirmed_at is not null)',
    // What its reader asked for stays, unless they have confirmed the address.
    unlinked: "address = any (:names) and reason = 'bounced'",
    unlinkedExported: 'address = any (:names)',
    exported: 'address reason detail since resumed_at',
    leftOut: {},
  },
  lostMessages: {
    table: 'lost_messages',
    owned,
    exported: 'id channel kind status alert_id address sent_at',
    leftOut: { 'by which it is known again': 'user_id restore_id message_id source external_id price data' },
  },
  // Those of unlinked mails are erased with them.
  mailEvents: {
    table: 'mail_events',
    owned: `${owned} and mail_id in (select id from mails where ${ownMails})`,
    exported: 'mail_id kind at reason received_at',
    leftOut: { ...sameInAll, "the event's id at the vendor": 'id' },
  },
  mails: {
    table: 'mails',
    owned: ownMails,
    unlinked: `alert_id is null and user_id = ${NOBODY} and (kind <> 'contact' and lower(to_address) = any (:names)
      or kind = 'contact' and (lower(data ->> 'email') = any (:names) or lower(btrim(data ->> 'name')) = any (:names)))`,
    exported: 'id kind subject alert_id status attempts created_at sent_at delivered_at error delivery_error',
    expressions: { to_address: 'to_address as "to"', data: `data - 'passwordMark' as data` },
    leftOut: {
      ...sameInAll,
      'when the sender tries again, and which claims do not count as tries': 'next_try_at retry_since attempts_before',
      'when the sender claimed it': 'claimed_at',
      'by which it is found in the log': 'request_id',
    },
  },
  formerEmails: {
    table: 'former_emails',
    owned,
    exported: 'address left_at',
    leftOut: { ...sameInAll, 'the order in which they were left': 'id' },
  },
  textStops: {
    table: 'text_stops',
    owned: `phone = any (:phones)
      and not exists (select from users o
                       where o.phone = text_stops.phone and o.phone_confirmed_at is not null and o.id <> :user)`,
    exported: 'phone stopped_at',
    leftOut: {},
  },
  texts: {
    table: 'texts',
    owned,
    exported: `id kind alert_id status segments sid error delivery delivery_error created_at sent_at delivered_at
      settled_at`,
    expressions: { to_phone: 'to_phone as "to"' },
    leftOut: sameInAll,
  },
  pushSubscriptions: {
    table: 'push_subscriptions',
    owned,
    exported:
      'id endpoint browser system session_id created_at last_success_at last_error failures failing_since last_failed_at',
    leftOut: { ...sameInAll, "a secret of the browser's": 'p256dh auth', 'when it is tried again': 'retry_at' },
  },
  pushes: {
    table: 'pushes',
    owned,
    exported: 'id kind alert_id status attempts created_at sent_at error',
    leftOut: {
      ...sameInAll,
      'devices that have yet to get it': 'devices',
      'when it is tried again, and which claims do not count as tries': 'next_try_at retry_since attempts_before',
    },
  },
  phoneCodes: {
    table: 'phone_codes',
    owned,
    exported: 'id phone guesses created_at expires_at used_at',
    leftOut: { ...sameInAll, 'a secret': 'code_hash' },
  },
  notifications: {
    table: 'notifications',
    owned: ownedByAlert,
    exported:
      'id alert_id listing_id channel kind price status held_by resent mail_id text_id push_id created_at due_at settled_at',
    leftOut: sameInAll,
  },
  idempotencyKeys: {
    table: 'idempotency_keys',
    owned,
    exported: 'key call status answer created_at',
    leftOut: { ...sameInAll, 'a hash of what was sent': 'body_hash' },
  },
  ...dealerTables,
  paymentEvents: {
    table: 'billing_events',
    owned: 'customer_id = (select customer_id from billing_customers where user_id = :user)',
    exported: 'id type object_id received_at settled_at',
    leftOut: {
      'part of the payments': 'customer_id',
      'by which it is found in the log': 'request_id',
      'how often it was tried, when it is tried again, and why a try failed': 'attempts next_try_at error',
    },
  },
  checkouts: {
    table: 'billing_checkouts',
    owned,
    exported: 'id plan_id session_id status created_at expires_at',
    leftOut: {
      ...sameInAll,
      'the idempotency key at Stripe': 'key',
      'whoever has it can pay': 'url',
      'when it is checked again': 'next_check_at',
    },
  },
  payments: {
    table: 'billing_customers',
    owned,
    exported: 'customer_id subscription_id status current_period_end grace_ends_at told_email synced_at created_at',
    leftOut: {
      ...sameInAll,
      'the idempotency key at Stripe': 'creation_key',
      'which mail was queued': 'grace_notified_for grace_warned_for',
      'when it is checked again': 'next_check_at',
    },
    single: true,
  },
  matches: {
    table: 'matches',
    owned: ownedByAlert,
    exported: 'listing_id alert_id distance_miles not_stated price announced matched_at',
    expressions: {
      alert_version: `alert_version as "alertVersion", alert_version = ${DISMISSED} as dismissed`,
    },
    leftOut: { ...sameInAll, 'a number of the database, for the order of live matches': 'position' },
  },
  savedListings: { table: 'saved_listings', owned, exported: 'id listing_id saved_at removed_at', leftOut: sameInAll },
  listingNotes: { table: 'listing_notes', owned, exported: 'listing_id note updated_at', leftOut: sameInAll },
  listingViews: { table: 'listing_views', owned, exported: 'listing_id viewed_at', leftOut: sameInAll },
  sharedLinks: {
    table: 'shared_links',
    owned,
    exported: 'id alert_id listing_ids created_at expires_at',
    leftOut: { ...sameInAll, 'a hash of a secret': 'token_hash' },
  },
  alertCells: {
    table: 'alert_cells',
    owned: ownedByAlert,
    exported: '',
    leftOut: {
      'derived from the alert, for the search': `key price_max alert_id alert_version user_id price_min year_min year_max
        color only_images asked conditions mileage_max announces texts pushes x y z cos_radius expires_at`,
    },
  },
  alertsToTrim: {
    table: 'alerts_to_trim',
    owned,
    exported: '',
    leftOut: { 'which alerts may have too many matches, until the next clean-up': 'id alert_id user_id' },
  },
  alertPaces: {
    table: 'alert_throttles',
    owned: ownedByAlert,
    exported: '',
    leftOut: { 'derived from the alert, for the search': 'alert_id user_id', 'part of the alert': 'last_mailed_at' },
  },
  alerts: {
    table: 'alerts',
    owned,
    exported: `id ${alertColumns} place lat lng is_active version last_mailed_at last_texted_at last_pushed_at
      reminded_at paused_by_plan_at snoozed_until created_at expires_at`,
    expressions: { color: `coalesce(color, 'any') as color` },
    leftOut: {
      ...sameInAll,
      'whether the search is yet to run, and since when': 'pending_match backfill_requested_at',
      'since when texts are tried in vain': 'texts_failing_since',
      'whether it has more matches than it keeps': 'is_capped',
    },
  },
  formerAlerts: { table: 'former_alerts', owned, exported: 'alert_id', leftOut: sameInAll },
  recoveryCodes: {
    table: 'recovery_codes',
    owned,
    exported: 'used_at',
    leftOut: { ...sameInAll, 'a hash of a secret': 'code_hash' },
  },
  secondFactor: {
    table: 'second_factors',
    owned,
    exported: 'created_at confirmed_at',
    expressions: { last_step: 'to_timestamp(t.last_step * 30) as "lastCodeAt"' },
    leftOut: { ...sameInAll, 'a secret': 'secret_ciphertext' },
    single: true,
  },
  deletionRequests: {
    table: 'deletion_requests',
    owned,
    exported: 'id request_id username reason notes status created_at decided_at completed_at',
    leftOut: sameInAll,
  },
  userActivity: {
    table: 'user_activity',
    owned,
    exported: '',
    leftOut: { 'part of the profile': 'user_id last_seen_at notifications_read_at' },
  },
  profile: {
    table: 'users',
    owned: 'id = :user',
    exported: `id username email email_confirmed_at pending_email phone phone_confirmed_at plan_id time_zone text_cap_told
      messages_paused_at alert_defaults created_at idle_warned_at`,
    expressions: {
      last_seen_at: `${lastSeenAt('t', ':user')} as "lastSeenAt"`,
      notifications_read_at: `${notificationsReadAt('t', ':user')} as "notificationsReadAt"`,
    },
    leftOut: {
      'a secret': 'password_hash',
      'about the password': 'must_change_password',
      'the username in lower case': 'username_key',
    },
    single: true,
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
