import { ofTheirAlerts } from './of-their-alerts.ts';

/** What was written to a person and by them, in the order in which it can be erased. */
export const messageTables = {
  contactMessages: {
    table: 'contact_messages',
    theirs: 'user_id = :user',
    unlinked: 'user_id is null and (lower(email) = any (:names) or lower(btrim(name)) = any (:names))',
    exported: { id: true, name: true, email: true, subject: true, message: true, created_at: true },
    leftOut: { user_id: 'the same in every row' },
  },
  mails: {
    table: 'mails',
    theirs: `(${ofTheirAlerts} or alert_id is null and user_id = :user)`,
    unlinked: `alert_id is null and user_id is null and (kind <> 'contact' and lower(to_address) = any (:names)
      or kind = 'contact' and (lower(data ->> 'email') = any (:names) or lower(btrim(data ->> 'name')) = any (:names)))`,
    exported: {
      id: true,
      kind: true,
      subject: true,
      alert_id: true,
      to_address: 'to_address as "to"',
      data: `data - 'passwordMark' as data`,
      status: true,
      attempts: true,
      created_at: true,
      sent_at: true,
      error: true,
    },
    leftOut: {
      user_id: 'the same in every row',
      next_try_at: 'when the sender looks again',
      claimed_at: 'when the sender took it',
    },
  },
  formerEmails: {
    table: 'former_emails',
    theirs: 'user_id = :user',
    exported: { address: true, left_at: true },
    leftOut: { id: 'the order in which they were left', user_id: 'the same in every row' },
  },
  // Before the texts, which tell the numbers that the account had confirmed earlier: only those get matches.
  textStops: {
    table: 'text_stops',
    theirs: `phone in (select phone from users where id = :user and phone_confirmed_at is not null
        union select to_phone from texts where user_id = :user and kind = 'match')
      and not exists (select from users o
                       where o.phone = text_stops.phone and o.phone_confirmed_at is not null and o.id <> :user)`,
    exported: { phone: true, stopped_at: true },
    leftOut: {},
  },
  texts: {
    table: 'texts',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      kind: true,
      alert_id: true,
      to_phone: 'to_phone as "to"',
      status: true,
      segments: true,
      sid: true,
      error: true,
      delivery: true,
      delivery_error: true,
      created_at: true,
      sent_at: true,
      settled_at: true,
    },
    leftOut: { user_id: 'the same in every row' },
  },
  phoneCodes: {
    table: 'phone_codes',
    theirs: 'user_id = :user',
    exported: { id: true, phone: true, guesses: true, created_at: true, expires_at: true, used_at: true },
    leftOut: { user_id: 'the same in every row', code_hash: 'a secret' },
  },
  notifications: {
    table: 'notifications',
    theirs: ofTheirAlerts,
    exported: {
      id: true,
      alert_id: true,
      listing_id: true,
      channel: true,
      kind: true,
      price: true,
      status: true,
      mail_id: true,
      text_id: true,
      created_at: true,
      due_at: true,
      settled_at: true,
    },
    leftOut: { user_id: 'the same in every row' },
  },
} as const;
