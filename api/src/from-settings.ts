import { createHmac } from 'node:crypto';
import { locks, withAdvisoryLock } from './base/advisory-lock.ts';
import type { Pool, Queryable } from './base/database.ts';
import { makeEncryption } from './base/encryption.ts';
import { deriveEach, type Secret } from './base/secret.ts';
import type { Settings } from './base/settings/settings.ts';
import type { EncryptedColumns } from './jobs/renew-secrets-job.ts';
import { TWILIO_PATH } from './rest/webhooks/twilio-webhook.ts';
import { endSource, ensureSources } from './sources/change-sources.ts';
import {
  DEMO_NAME,
  demoSource,
  encryptClearHeaders,
  encryptHeaders,
  readSourcesFile,
  type SourceSettings,
} from './sources/source-settings.ts';
import type { Mailer } from './vendors/mail.ts';
import { makeOutboxMailer, outboxFile } from './vendors/outbox-mail.ts';
import { purgeOutbox } from './vendors/purge-outbox.ts';
import { makeSendgridMailer } from './vendors/sendgrid-mail.ts';
import type { Texter } from './vendors/texts/text.ts';
import { makeOutboxTexter } from './vendors/texts/text.ts';
import { makeTwilioTexter } from './vendors/texts/twilio-text.ts';

/** What their key is derived for: another word would make all of them unreadable. */
const WEBHOOK_PURPOSE = 'webhook secrets';
const SOURCE_PURPOSE = 'source headers';
const SECOND_FACTOR_PURPOSE = 'second factors';
const DEFAULT_MARKETPLACE = 'https://www.facebook.com/marketplace/';

/** @throws Error for what only the launcher gives and nobody set */
export function needed(value: string | undefined, name: string): string {
  if (value === undefined) throw new Error(`${name} is not set: start LotWatch through its launcher, or set it.`);
  return value;
}

/** What signs and encrypts: SESSION_SECRET, and those before it, which only read. */
export const sessionSecret = (settings: Settings): Secret => [
  needed(settings.sessionSecret, 'SESSION_SECRET'),
  ...settings.formerSessionSecrets,
];

/** Mail links must not be forgeable by whoever can forge a session, nor the other way round. */
export const derivedSecret = (
  settings: Settings,
  purpose: 'mail links' | 'phone codes' | 'known devices' | 'security log',
): Secret =>
  deriveEach(sessionSecret(settings), (one) => createHmac('sha256', one).update(purpose).digest('base64url'));

/** A dump of the database shows no secret of a webhook's. */
export const webhookEncryption = (settings: Settings) => makeEncryption(sessionSecret(settings), WEBHOOK_PURPOSE);

/** All that is encrypted at rest: what stands here is encrypted anew when SESSION_SECRET changes. */
export const encryptedColumns = (settings: Settings): EncryptedColumns[] => [
  {
    table: 'webhooks',
    key: 'id',
    below: '0',
    columns: ['secret_ciphertext', 'previous_secret_ciphertext'],
    encryption: webhookEncryption(settings),
  },
  {
    table: 'second_factors',
    key: 'user_id',
    below: '0',
    columns: ['secret_ciphertext'],
    encryption: secondFactorEncryption(settings),
  },
  { table: 'sources', key: 'name', below: '', columns: ['header_ciphertext'], encryption: sourceEncryption(settings) },
];

/** Nor what an authenticator app makes its codes from. */
export const secondFactorEncryption = (settings: Settings) =>
  makeEncryption(sessionSecret(settings), SECOND_FACTOR_PURPOSE);

/** Nor a header of a source's. */
export const sourceEncryption = (settings: Settings) => makeEncryption(sessionSecret(settings), SOURCE_PURPOSE);

/** Those of the operator's file, and the demo marketplace. */
export function configuredSources(settings: Settings): SourceSettings[] {
  const fromFile = settings.sourcesFile === undefined ? [] : readSourcesFile(settings.sourcesFile);
  const { on, url, perSecond } = settings.demo;
  return on && url !== undefined ? [...fromFile, demoSource(url, perSecond)] : fromFile;
}

/**
 * Writes the sources that the settings name, and ends the demo marketplace where they say that there is none. All other
 * sources go on: this process may be one of several with different settings.
 * @returns what the settings name though an operator has ended it
 */
export async function writeSources(db: Queryable, settings: Settings): Promise<string[]> {
  if (settings.demo.isEnded) await endSource(db, DEMO_NAME, 'settings');
  const encryption = sourceEncryption(settings);
  await encryptClearHeaders(db, encryption);
  return ensureSources(db, encryptHeaders(encryption, configuredSources(settings)));
}

/** Where a listing leads that has no page of its own: to the first source with a home that an operator has not ended. */
export function marketplaceHome(settings: Settings, sources: readonly SourceSettings[]): string {
  const named = sources.find((source) => !source.ended && source.marketplaceHome !== undefined)?.marketplaceHome;
  return named ?? (settings.demo.on ? `${settings.publicUrl}/demo/` : DEFAULT_MARKETPLACE);
}

/** null in production without Twilio: whoever asks for a text is told that there are none. */
export function makeTexter(settings: Settings, pool: Pool): (Texter & { close?(): Promise<void> }) | null {
  const { twilio } = settings.texts;
  if (twilio === undefined) {
    if (settings.production) return null;
    return makeOutboxTexter(outboxFile(settings.dataDir), (work) => withAdvisoryLock(pool, locks.outbox, work));
  }
  const { protocol, hostname } = new URL(settings.publicUrl);
  const isReachable = protocol === 'https:' && hostname.includes('.');
  return makeTwilioTexter({ ...twilio, statusCallback: isReachable ? settings.publicUrl + TWILIO_PATH : null });
}

/** Also where providers are set up by now: what was written before they were is still there. */
export const outboxPurge = (settings: Settings, pool: Pool) => (before: Date) =>
  purgeOutbox(outboxFile(settings.dataDir), before, (work) => withAdvisoryLock(pool, locks.outbox, work));

/** SendGrid's, or the local outbox where nobody has set it up. */
export async function makeMailer(settings: Settings, pool: Pool): Promise<Mailer & { close?(): Promise<void> }> {
  const { sendgridApiKey, sendgridApiBase, from } = settings.mail;
  if (sendgridApiKey === undefined)
    return makeOutboxMailer(outboxFile(settings.dataDir), (work) => withAdvisoryLock(pool, locks.outbox, work));
  return makeSendgridMailer({ apiKey: sendgridApiKey, apiBase: sendgridApiBase, from });
}
