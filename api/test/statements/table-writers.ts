import { retention } from '../../src/jobs/clean-up/retention.ts';
import { personalTables } from '../../src/rights/personal-tables.ts';

/** Which room of `api/src` writes a table, and what other rooms write of it, as "room updates a, b", with the reason. */
interface TableWriter {
  room: string;
  others?: Readonly<Record<string, string>>;
}

const keptDecision =
  'carries over what people decided in the time that a restore forgets, in one walk over seven tables';
const reencrypted = 'encrypts again what a former secret encrypted, in one walk over four tables';

export const writers: Readonly<Record<string, TableWriter>> = {
  agenda_jobs: { room: 'jobs' },
  alert_cells: {
    room: 'alerts',
    others: {
      'matching deletes': 'rows of deleted alerts, which it deletes from three tables',
      'rights updates announces, expires_at, pushes, texts': keptDecision,
    },
  },
  alert_throttles: {
    room: 'notify',
    others: { 'alerts deletes': 'with the alert' },
  },
  alerts: {
    room: 'alerts',
    others: {
      'matching updates is_capped': 'in the transaction that deletes the oldest matches',
      'matching updates is_capped, pending_match': 'clears the mark in the transaction that writes the matches',
      'notify updates last_mailed_at': 'in the statement that claims a mail',
      'notify updates last_texted_at': 'in the statement that claims a text, and where that was not sent',
      'notify updates texts_failing_since': 'where a text was not sent, settled or held',
      'notify updates last_pushed_at': 'in the statement that claims a push message',
      'notify updates reminded_at': 'in the statement that queues the reminder',
      'rights updates email_notifications, is_active, push_notifications, text_notifications': keptDecision,
    },
  },
  alerts_to_trim: { room: 'matching' },
  api_allowances: { room: 'keys' },
  api_keys: { room: 'keys', others: { 'rights updates expires_at, revoked_at': keptDecision } },
  api_usage: { room: 'keys' },
  audit_log: { room: 'entities' },
  billing_checkouts: { room: 'billing' },
  billing_customers: { room: 'billing' },
  billing_events: { room: 'billing' },
  billing_leases: { room: 'billing' },
  car_candidates: { room: 'intake' },
  cleanup_positions: { room: 'jobs' },
  contact_messages: { room: 'contact' },
  customer_deletions: { room: 'billing' },
  database_layout: { room: 'placement' },
  deletion_requests: { room: 'rights' },
  delivery_delays: { room: 'notify' },
  former_alerts: { room: 'alerts' },
  former_emails: { room: 'accounts' },
  idempotency_keys: { room: 'entities' },
  leaving_changes: { room: 'jobs', others: { 'placement deletes': 'as partitions end when tables are distributed' } },
  leaving_partitions: {
    room: 'jobs',
    others: { 'placement deletes': 'as partitions end when tables are distributed' },
  },
  listing_notes: {
    room: 'listings',
    others: {
      'intake deletes': 'with the listing',
      'intake inserts': 'moves the note to another listing of the car',
    },
  },
  listing_texts: { room: 'intake' },
  listing_views: { room: 'listings', others: { 'intake deletes': 'with the listing' } },
  listings: {
    room: 'intake',
    others: {
      'placement updates facts_before, pending_filters, pending_match, version':
        'clears the marks of the version before in the transaction that writes the matches',
    },
  },
  listings_to_match: {
    room: 'placement',
    others: {
      'intake inserts': 'in the statements that store and change listings',
      'intake deletes': 'with the listing, or where it ends',
    },
  },
  lost_messages: { room: 'notify' },
  mail_counts: { room: 'notify', others: { 'rights deletes': 'with the person' } },
  mail_events: { room: 'notify' },
  mails: {
    room: 'notify',
    others: {
      'rights inserts': 'in the statement that notes that it warned an idle account',
    },
  },
  match_epochs: { room: 'matching' },
  match_server: { room: 'matching' },
  matches: {
    room: 'matching',
    others: {
      'notify updates announced': 'in the statement that drops or reassigns the notification',
      'placement deletes': 'old rows, on each shard of a cluster',
    },
  },
  migrations: { room: 'entities' },
  notifications: {
    room: 'notify',
    others: {
      'intake inserts': 'that a car was sold, in the transaction that changes its status',
      'matching inserts': 'in the statement that writes the matches',
      'matching updates settled_at, status': 'in the statement that hides the matches of a car that was listed again',
      'matching deletes': 'rows of deleted alerts, which it deletes from three tables',
      'placement deletes': 'old rows, on each shard of a cluster',
    },
  },
  phone_codes: { room: 'accounts' },
  plans: { room: 'billing' },
  price_changes: { room: 'intake' },
  price_drops: { room: 'matching', others: { 'webhooks deletes': 'takes each as it makes an event of it' } },
  photo_searches: { room: 'intake' },
  price_models: { room: 'intake' },
  push_subscriptions: { room: 'notify' },
  pushes: { room: 'notify' },
  quarantine: { room: 'intake' },
  rate_limits: { room: 'http', others: { 'rights deletes': 'with the person' } },
  recovery_codes: { room: 'accounts', others: { 'rights inserts': keptDecision } },
  known_servers: { room: 'notify' },
  running_server: { room: 'notify' },
  restores: { room: 'notify' },
  saved_listings: { room: 'listings', others: { 'intake deletes': 'with the listing' } },
  second_factors: {
    room: 'accounts',
    others: { 'jobs updates secret_ciphertext': reencrypted, 'rights inserts': keptDecision },
  },
  session: { room: 'accounts' },
  shards_here: { room: 'placement' },
  shared_links: { room: 'listings' },
  source_accounts: { room: 'sources', others: { 'jobs updates token_ciphertext': reencrypted } },
  source_details: { room: 'sources' },
  site_hosts: { room: 'sources' },
  source_hours: { room: 'intake' },
  source_lags: { room: 'intake' },
  source_pages: { room: 'sources' },
  sources: {
    room: 'sources',
    others: {
      'intake updates items, rejects': 'in the statement that counts what it stored',
      'jobs updates header_ciphertext': reencrypted,
    },
  },
  suppressed_addresses: { room: 'notify' },
  text_counts: { room: 'notify' },
  text_stops: { room: 'notify' },
  texts: { room: 'notify' },
  user_activity: { room: 'entities' },
  users: {
    room: 'accounts',
    others: {
      'billing updates plan_id': 'in the transaction that applies the plan',
      'notify updates text_cap_told': 'in the transaction that defers the texts of a month',
      'rights updates idle_warned_at': 'in the statement that queues the warning',
      'rights updates messages_paused_at, must_change_password, password_hash': keptDecision,
    },
  },
  vapid_keys: { room: 'notify', others: { 'jobs updates private_ciphertext': reencrypted } },
  webhook_attempts: { room: 'notify' },
  webhook_deliveries: {
    room: 'webhooks',
    others: {
      'notify updates next_try_at, resend_requested, settled_at, status, tries': 'as it delivers them',
    },
  },
  webhook_events: { room: 'webhooks' },
  webhook_positions: { room: 'webhooks' },
  webhooks: {
    room: 'webhooks',
    others: {
      'notify updates backoff_until, failing_since, failures_in_row, paused_at, paused_because, state':
        'with the outcome of each delivery',
      'jobs updates previous_secret_ciphertext, secret_ciphertext': reencrypted,
      'rights updates paused_at, paused_because, previous_secret_ciphertext, previous_until, secret_ciphertext, state':
        keptDecision,
    },
  },
};

/** A write that is found in the program. */
export interface FoundWrite {
  file: string;
  line: number;
  table: string;
  act: string;
}

const ofRetention = new Set(retention.map(({ table }) => table));
const ofPersons: ReadonlySet<string> = new Set(Object.values(personalTables).map(({ table }) => table));

/** Whole tables of tables say what is deleted after a while and with a person: each by one statement. */
const isListedDelete = ({ table, act }: FoundWrite, room: string): boolean =>
  act === 'deletes' && ((room === 'jobs' && ofRetention.has(table)) || (room === 'rights' && ofPersons.has(table)));

/** @returns the writes that no entry allows, and what the entries allow that nobody does */
export function judgeWrites(found: readonly FoundWrite[]): { faults: string[]; unused: string[] } {
  const allowed = new Map<string, Set<string>>();
  for (const [table, { others = {} }] of Object.entries(writers)) {
    for (const [key] of Object.entries(others)) {
      const [room, act, ...columns] = key.split(/,? /);
      const acts = columns.length > 0 ? columns.map((column) => `${act} ${column}`) : [act];
      for (const one of acts) allowed.set(`${table}: ${room} ${one}`, new Set());
    }
  }
  const faults = new Set<string>();
  for (const write of found) {
    const room = write.file.split('/')[2] ?? '';
    if (room === writers[write.table]?.room || isListedDelete(write, room)) continue;
    const uses = allowed.get(`${write.table}: ${room} ${write.act}`);
    if (uses) uses.add(write.file);
    else faults.add(`${write.table}: ${room} ${write.act} in ${write.file}:${write.line}`);
  }
  return {
    faults: [...faults].sort(),
    unused: [...allowed].filter(([, uses]) => uses.size === 0).map(([entry]) => entry),
  };
}
