/**
 * Columns that hold texts and can hold nothing of a person, by table, with the reason. Every other column that can hold
 * a text is filled with a mark by `makeMarkedPerson`, or stands in `valuesThatTell`.
 */
export const holdsNobody: Readonly<Record<string, readonly { columns: string; because: string }[]>> = {
  agenda_jobs: [
    {
      columns: 'name type fail_reason repeat_timezone repeat_interval data repeat_at last_modified_by skip_days',
      because: 'jobs run for everybody: names, intervals and why a run failed; none takes a person as its data',
    },
  ],
  alerts: [{ columns: 'make model color', because: 'words of the catalogue alone' }],
  api_keys: [{ columns: 'scopes', because: 'words of a list' }],
  audit_log: [{ columns: 'actor action subject outcome', because: 'words of lists and numbers' }],
  billing_checkouts: [{ columns: 'status', because: 'words of a list' }],
  billing_customers: [{ columns: 'status', because: 'words of a list' }],
  billing_events: [{ columns: 'type', because: 'names of kinds of events, of Stripe' }],
  billing_farewells: [
    { columns: 'customer_id session_ids', because: 'written by the erasure; the test looks at it afterwards' },
  ],
  cleanup_positions: [{ columns: 'step position', because: 'names of steps, numbers, days and names of sources' }],
  deletion_requests: [{ columns: 'status', because: 'words of a list' }],
  idempotency_keys: [{ columns: 'call', because: 'method and path of a call, as the table of calls has it' }],
  listings: [
    {
      columns:
        'source external_id status title make model transmission color condition city state image_url images url facts_hash vin photo_hash',
      because: 'what sellers publish',
    },
  ],
  mail_counts: [{ columns: 'of_kinds', because: 'numbers by kind of mail' }],
  mails: [{ columns: 'kind status', because: 'words of lists' }],
  migrations: [{ columns: 'name', because: 'the state of the schema' }],
  notifications: [{ columns: 'channel kind status', because: 'words of lists' }],
  plans: [{ columns: 'name description features', because: 'what is sold' }],
  quarantine: [{ columns: 'source external_id code reason record record_hash reader', because: 'records of sources' }],
  session: [{ columns: 'sess', because: 'the number of the user, times, and names of browser and system of a list' }],
  source_hours: [{ columns: 'source', because: 'names of sources' }],
  source_lags: [{ columns: 'source', because: 'names of sources' }],
  sources: [
    {
      columns: 'name kind settings cursor etag last_modified last_error ended_by header_box',
      because: 'where listings come from, as the operator says',
    },
  ],
  texts: [{ columns: 'kind status', because: 'words of lists' }],
  users: [
    { columns: 'time_zone', because: 'a name of the list of time zones' },
    { columns: 'text_cap_told', because: 'a month' },
  ],
  webhook_deliveries: [{ columns: 'status', because: 'words of a list' }],
  webhook_events: [{ columns: 'type', because: 'words of a list' }],
  webhooks: [{ columns: 'events state paused_because', because: 'words of lists' }],
};

/** Columns that can't hold a mark, as the product makes their values: each value of the person's is a mark itself. */
export const valuesThatTell: Readonly<Record<string, { whose: string }>> = {
  'api_keys.prefix': { whose: 'user_id = $1' },
  'api_keys.secret_hash': { whose: 'user_id = $1' },
  'deletion_requests.request_id': { whose: 'user_id = $1' },
  'idempotency_keys.body_hash': { whose: 'user_id = $1' },
  'mail_counts.mailbox': {
    whose: `mailbox in (select translate(encode(sha256(convert_to(lower(to_address), 'UTF8')), 'base64'), '+/=', '-_')
                          from mails where user_id = $1 and kind <> 'contact')`,
  },
  'phone_codes.code_hash': { whose: 'user_id = $1' },
  'rate_limits.key': { whose: "key like '%user:' || $1" },
  'session.sid': { whose: "sess ->> 'userId' = $1::text" },
  'users.password_hash': { whose: 'id = $1' },
  'webhook_deliveries.message_id': { whose: 'user_id = $1' },
};

/** What the export leaves out, by column or, where only a part is left out, by a mark. */
export const notExported: Readonly<Record<string, string>> = {
  'api_keys.secret_hash': 'made from a secret',
  'billing_checkouts.url': 'whoever has it can pay',
  'billing_events.error': 'why an event of Stripe could not be settled, for the operator',
  'idempotency_keys.body_hash': 'made from what was sent',
  'mail_counts.mailbox': 'a hash of an address that is in it',
  'phone_codes.code_hash': 'made from a secret',
  'rate_limits.key': 'a counter of the hour or the week',
  'recovery_codes.code_hash': 'made from a secret',
  'second_factors.secret_box': 'a secret',
  'session.sid': 'whoever has it is signed in',
  'users.password_hash': 'made from a secret',
  'webhook_events.subject': 'the same as in the data, shorter',
  'webhooks.secret_box': 'a secret',
  'webhooks.previous_secret_box': 'a secret',
  'password-mark': 'what a reset link is checked against',
  'named-subject': 'anybody can type a username into the form of a message',
  'unsigned-mail': 'the mail to the operator of a message; the message itself is exported',
};

/** What is left after a deletion, by column or place, and the words of docs/privacy.md that say so. */
export const staysAfterDeletion: Readonly<Record<string, string>> = {
  'deletion_requests.request_id': "Left are the request's id with number and state `completed`",
  outbox: 'The outbox file.',
};
