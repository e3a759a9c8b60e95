import { createHmac } from 'node:crypto';
import type { Log } from './log.ts';
import { newestOf, type Secret } from './secret.ts';

/**
 * All security events by their stable names, which never change, since log monitoring relies on them. A test compares
 * them with `docs/security-events.md`. Fields identify a person only by the id of the account.
 */
export const securityEvents = {
  'account.created': { description: 'An account was created and signed in', fields: ['userId', 'network'] },
  'login.succeeded': { description: 'A user signed in', fields: ['userId', 'network'] },
  'login.failed': { description: 'A login was refused: wrong name or password', fields: ['account', 'network'] },
  'login.code.refused': {
    description: 'The password was right, and the code of the second factor was wrong',
    fields: ['userId', 'network'],
  },
  'session.ended': {
    description: 'Sessions were ended by their user, or with the password',
    fields: ['userId', 'because'],
  },
  'permission.refused': {
    description: 'A call was not permitted: another role, a foreign origin, or an operation that keys may not call',
    fields: ['userId', 'keyId', 'network', 'operation'],
  },
  'key.refused': { description: 'An API key was invalid or had ended', fields: ['network', 'operation'] },
  'limit.hit': {
    description: 'A limit of requests or tries was reached',
    fields: ['userId', 'keyId', 'network', 'operation'],
  },
  'password.given': { description: 'The current password was confirmed', fields: ['userId', 'network'] },
  'password.refused': {
    description: 'The current password was required, and was wrong',
    fields: ['userId', 'network'],
  },
  'reset.requested': { description: 'A link for a new password was requested', fields: ['account', 'network'] },
  'password.changed': { description: 'A password was changed, or set by a mailed link', fields: ['userId', 'how'] },
  'factor.added': { description: 'A second factor was set up', fields: ['userId'] },
  'factor.removed': { description: 'A second factor was removed', fields: ['userId'] },
  'recovery.renewed': { description: 'New recovery codes were created', fields: ['userId'] },
  'recovery.used': { description: 'A recovery code was used to sign in', fields: ['userId', 'network'] },
  'email.changed': { description: 'The email address of an account was changed', fields: ['userId'] },
  'mail.capped': {
    description: 'A mail was not sent: its address had reached the daily limit of this kind or of all mails',
    fields: ['userId', 'kind'],
  },
  'key.created': { description: 'An API key was created', fields: ['userId', 'keyId'] },
  'key.replaced': { description: 'An API key replaced another', fields: ['userId', 'keyId'] },
  'key.revoked': { description: 'An API key was revoked', fields: ['userId', 'keyId'] },
  'webhook.created': { description: 'A webhook was created', fields: ['userId', 'webhookId'] },
  'webhook.changed': {
    description: "A webhook's URL or the events that it receives were changed",
    fields: ['userId', 'webhookId'],
  },
  'webhook.deleted': { description: 'A webhook was deleted', fields: ['userId', 'webhookId'] },
  'webhook.secret.changed': { description: 'A webhook got a new secret', fields: ['userId', 'webhookId'] },
  'push.added': { description: 'A browser was added that gets push notifications', fields: ['userId', 'network'] },
  'push.removed': { description: 'A browser was removed that got push notifications', fields: ['userId'] },
  'link.created': {
    description: 'A link was created that shows an alert or a list of cars to anybody who has it',
    fields: ['userId', 'linkId', 'network'],
  },
  'link.ended': { description: 'Such a link was ended by its user', fields: ['userId', 'linkId'] },
  'signature.refused': {
    description: "A call of a vendor's webhook had no valid signature, or an old one",
    fields: ['vendor', 'network'],
  },
  'secrets.renewed': {
    description: 'Secrets at rest were encrypted again, because SESSION_SECRET has changed',
    fields: ['renewed', 'unreadable'],
  },
} as const satisfies Readonly<Record<string, { description: string; fields: readonly string[] }>>;

export type SecurityEvent = keyof typeof securityEvents;
type FieldOf<E extends SecurityEvent> = (typeof securityEvents)[E]['fields'][number];

type FieldsOf<E extends SecurityEvent> = Partial<Record<FieldOf<E>, string | number | null>>;

export interface SecurityLog {
  record<E extends SecurityEvent>(event: E, fields: FieldsOf<E>): void;
  /** A keyed hash, which only the holder of the secret can compute. */
  hash(text: string): string;
}

const HASH_CHARACTERS = 16;
/** The same event is logged once in this time, so that a client can't fill the disk. */
const REPEATED_AFTER_MS = 60_000;
const MAX_REMEMBERED = 10_000;
const repeating: ReadonlySet<SecurityEvent> = new Set([
  'permission.refused',
  'key.refused',
  'limit.hit',
  'signature.refused',
]);

export function logSecurityEvent<E extends SecurityEvent>(log: Log, event: E, fields: FieldsOf<E>): void {
  log.info('security event', { event, ...fields });
}

/** @param secret the key of the hashes */
export function makeSecurityLog(log: Log, secret: Secret, now: () => number = Date.now): SecurityLog {
  let logged = new Set<string>();
  let loggedSince = now();
  function isRepeated(line: string): boolean {
    if (now() - loggedSince > REPEATED_AFTER_MS || logged.size >= MAX_REMEMBERED) {
      logged = new Set();
      loggedSince = now();
    }
    if (logged.has(line)) return true;
    logged.add(line);
    return false;
  }
  return {
    record(event, fields) {
      if (repeating.has(event) && isRepeated(JSON.stringify([event, fields]))) return;
      logSecurityEvent(log, event, fields);
    },
    hash: (text) =>
      createHmac('sha256', newestOf(secret))
        .update(text.trim().toLowerCase())
        .digest('base64url')
        .slice(0, HASH_CHARACTERS),
  };
}
