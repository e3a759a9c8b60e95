import { alertTables } from './alert-tables.ts';
import { keyTables } from './key-tables.ts';
import { messageTables } from './message-tables.ts';
import { paymentTables } from './payment-tables.ts';
import { webhookTables } from './webhook-tables.ts';

/** A table with rows of persons. Each of its columns is exported or left out with a reason; a test looks. */
export interface PersonalTable {
  table: string;
  /** Which rows are a person's: a condition with the names of `theirRows`. */
  theirs: string;
  /** Which rows are theirs though no number says so. */
  unlinked?: string;
  /** By the column: its name in the export is the column's, or what the expression says. */
  exported: Readonly<Record<string, true | string>>;
  /** By the column: why the export leaves it out. */
  leftOut: Readonly<Record<string, string>>;
}

/** In the order in which they can be erased. */
export const personalTables = {
  sessions: {
    table: 'session',
    theirs: "sess ->> 'userId' = (:user)::text",
    exported: {
      id: true,
      sess: `sess ->> 'browser' as browser, sess ->> 'system' as system,
        to_timestamp((sess ->> 'passwordGivenAt')::float8 / 1000) as "passwordGivenAt"`,
      created_at: 'created_at as "signedInAt"',
      last_used_at: true,
      expire: 'expire as "expiresAt"',
    },
    leftOut: { sid: 'whoever has it is signed in' },
  },
  ...messageTables,
  idempotencyKeys: {
    table: 'idempotency_keys',
    theirs: 'user_id = :user',
    exported: { key: true, call: true, status: true, answer: true, created_at: true },
    leftOut: { user_id: 'the same in every row', body_hash: 'made from what was sent' },
  },
  ...webhookTables,
  ...keyTables,
  ...paymentTables,
  ...alertTables,
  recoveryCodes: {
    table: 'recovery_codes',
    theirs: 'user_id = :user',
    exported: { used_at: true },
    leftOut: { user_id: 'the same in every row', code_hash: 'made from a secret' },
  },
  secondFactor: {
    table: 'second_factors',
    theirs: 'user_id = :user',
    exported: { created_at: true, confirmed_at: true, last_step: 'to_timestamp(t.last_step * 30) as "lastCodeAt"' },
    leftOut: { user_id: 'the same in every row', secret_box: 'a secret' },
  },
  deletionRequests: {
    table: 'deletion_requests',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      request_id: true,
      username: true,
      reason: true,
      notes: true,
      status: true,
      created_at: true,
      decided_at: true,
      completed_at: true,
    },
    leftOut: { user_id: 'the same in every row' },
  },
  profile: {
    table: 'users',
    theirs: 'id = :user',
    exported: {
      id: true,
      username: true,
      email: true,
      email_confirmed_at: true,
      pending_email: true,
      phone: true,
      phone_confirmed_at: true,
      plan_id: true,
      time_zone: true,
      text_cap_told: true,
      created_at: true,
      last_seen_at: true,
      idle_warned_at: true,
    },
    leftOut: {
      password_hash: 'a secret',
      must_change_password: 'about the password',
      username_key: 'the username in lower case',
    },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
