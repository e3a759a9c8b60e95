import { createHmac } from 'node:crypto';
import { locks, withAdvisoryLock } from './base/advisory-lock.ts';
import { cached } from './base/cached.ts';
import type { Pool, Queryable } from './base/database.ts';
import type { DatabaseAddress } from './base/database-address.ts';
import { makeEncryption } from './base/encryption.ts';
import { deriveEach, type Secret } from './base/secret.ts';
import type { Settings } from './base/settings/settings.ts';
import type { TableEncryptions } from './jobs/renew-secrets-job.ts';
import { readVapidKeys } from './notify/channels/push/vapid-keys.ts';
import type { TextRules } from './notify/channels/sms/count-segments.ts';
import { type EnsuredSources, endSource, ensureSources } from './sources/change-sources.ts';
import type { SourceSettings } from './sources/kinds/source-kinds.ts';
import { encryptClearHeaders, encryptSecrets } from './sources/source-secrets.ts';
import { DEMO_NAME, demoSource, readSourcesFile } from './sources/source-settings.ts';
import type { Mailer, VendorSuppressions } from './vendors/mail.ts';
import { makeOutboxMailer, outboxFile } from './vendors/outbox-mail.ts';
import type { PostGuarded } from './vendors/post-guarded.ts';
import { purgeOutbox } from './vendors/purge-outbox.ts';
import { makeOutboxPusher } from './vendors/push/outbox-push.ts';
import type { Pusher } from './vendors/push/push.ts';
import { makeWebPusher } from './vendors/push/web-push.ts';
import { makeSendgridMailer } from './vendors/sendgrid-mail.ts';
import { makeSendgridSuppressions } from './vendors/sendgrid-suppressions.ts';
import type { PostTargets } from './vendors/target-fault.ts';
import type { Texter } from './vendors/texts/text.ts';
import { makeOutboxTexter } from './vendors/texts/text.ts';
import { TWILIO_PATH } from './vendors/texts/twilio-path.ts';
import { makeTwilioTexter } from './vendors/texts/twilio-text.ts';

/** The purposes of the derived keys. Changing one makes all its ciphertexts unreadable. */
const WEBHOOK_PURPOSE = 'webhook secrets';
const SOURCE_PURPOSE = 'source headers';
const SECOND_FACTOR_PURPOSE = 'second factors';
const VAPID_PURPOSE = 'vapid keys';
const DEFAULT_MARKETPLACE = 'https://www.facebook.com/marketplace/';

/** Requires a setting that only the launcher provides by default. @throws Error when it is not set */
export function requireSetting(value: string | undefined, name: string): string {
  if (value === undefined) throw new Error(`${name} is not set: start LotWatch through its launcher, or set it.`);
  return value;
}

/** Where statements go, and the address of the server for what needs a session of its own. */
export function databaseOf(settings: Settings): { database: DatabaseAddress; directUrl: string; hasPooler: boolean } {
  const url = requireSetting(settings.databaseUrl, 'DATABASE_URL');
  const { databaseDirectUrl: directUrl } = settings;
  const hasPooler = directUrl !== undefined;
  return hasPooler ? { database: { pooler: url }, directUrl, hasPooler } : { database: url, directUrl: url, hasPooler };
}

/** SESSION_SECRET, which signs and encrypts, and the former ones, which are only accepted. */
export const sessionSecret = (settings: Settings): Secret => [
  requireSetting(settings.sessionSecret, 'SESSION_SECRET'),
  ...settings.formerSessionSecrets,
];

/** Derives a secret for each purpose, so that a leaked one can't be used for another purpose. */
export const derivedSecret = (
  settings: Settings,
  purpose: 'mail links' | 'phone codes' | 'known devices' | 'security log',
): Secret =>
  deriveEach(sessionSecret(settings), (one) => createHmac('sha256', one).update(purpose).digest('base64url'));

/** Encrypts the secrets of webhooks. */
export const webhookEncryption = (settings: Settings) => makeEncryption(sessionSecret(settings), WEBHOOK_PURPOSE);

/** Encrypts the secrets of authenticator apps. */
export const secondFactorEncryption = (settings: Settings) =>
  makeEncryption(sessionSecret(settings), SECOND_FACTOR_PURPOSE);

/** Encrypts the private key by which push services know this installation. */
export const vapidEncryption = (settings: Settings) => makeEncryption(sessionSecret(settings), VAPID_PURPOSE);

/** Encrypts the secrets of sources. */
export const sourceEncryption = (settings: Settings) => makeEncryption(sessionSecret(settings), SOURCE_PURPOSE);

/** Encrypts all secrets that the database holds, by table. */
export const tableEncryptions = (settings: Settings): TableEncryptions => ({
  webhooks: webhookEncryption(settings),
  second_factors: secondFactorEncryption(settings),
  sources: sourceEncryption(settings),
  source_accounts: sourceEncryption(settings),
  vapid_keys: vapidEncryption(settings),
});

/** The sources of the operator's file, and the demo marketplace. */
export function configuredSources(settings: Settings): SourceSettings[] {
  const fromFile = settings.sourcesFile === undefined ? [] : readSourcesFile(settings.sourcesFile);
  const { on, url, perSecond } = settings.demo;
  const home = `${settings.publicUrl}/demo/`;
  return on && url !== undefined ? [...fromFile, demoSource(url, perSecond, home)] : fromFile;
}

/**
 * Writes the configured sources, and ends the demo marketplace when it is switched off. Other sources are not changed,
 * since other processes may have different settings.
 */
export async function writeSources(db: Queryable, settings: Settings): Promise<EnsuredSources> {
  if (settings.demo.isEnded) await endSource(db, DEMO_NAME, 'settings');
  const encryption = sourceEncryption(settings);
  await encryptClearHeaders(db, encryption);
  return ensureSources(db, encryptSecrets(encryption, configuredSources(settings)));
}

/** How LotWatch introduces itself to the sites that it reads, with an address of the people who run it. */
export const userAgent = ({ publicUrl, mail }: Pick<Settings, 'publicUrl' | 'mail'>): string =>
  `LotWatch/1.0 (+${publicUrl}; ${mail.support})`.replace(/[^\x20-\x7e]/g, '');

/**
 * Where a listing without a page of its own leads whose source names no marketplace: to the first one that SOURCES_FILE names,
 * never to the demo's.
 */
export function marketplaceHome(sources: readonly SourceSettings[]): string {
  const named = sources.find(({ name, ended, marketplaceHome: home }) => name !== DEMO_NAME && !ended && home);
  return named?.marketplaceHome ?? DEFAULT_MARKETPLACE;
}

/** Twilio's client, or the local outbox outside production; null in production without Twilio. */
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

/** Which addresses of users messages may be posted to. */
export const postTargets = ({ webhookPrivateNetwork, production }: Settings): PostTargets => ({
  allowPrivateNetwork: webhookPrivateNetwork,
  allowHttp: !production,
});

/** The sender of push messages, outside production with the local outbox. */
export function makePusher(settings: Settings, pool: Pool, post: PostGuarded): Pusher {
  const encryption = vapidEncryption(settings);
  const keys = cached(() => readVapidKeys(pool, encryption), Number.POSITIVE_INFINITY);
  const real = makeWebPusher({ subject: `mailto:${settings.mail.support}`, keys, post, ...postTargets(settings) });
  if (settings.production) return real;
  return makeOutboxPusher(real, outboxFile(settings.dataDir), (work) => withAdvisoryLock(pool, locks.outbox, work));
}

/** Purges the outbox, which may exist from a time before the providers were set up. */
export const outboxPurge = (settings: Settings, pool: Pool) => (before: Date) =>
  purgeOutbox(outboxFile(settings.dataDir), before, (work) => withAdvisoryLock(pool, locks.outbox, work));

/** SendGrid's client, or the local outbox without it. */
export async function makeMailer(settings: Settings, pool: Pool): Promise<Mailer & { close?(): Promise<void> }> {
  const { sendgridApiKey, sendgridApiBase, from } = settings.mail;
  if (sendgridApiKey === undefined)
    return makeOutboxMailer(outboxFile(settings.dataDir), (work) => withAdvisoryLock(pool, locks.outbox, work));
  return makeSendgridMailer({ apiKey: sendgridApiKey, apiBase: sendgridApiBase, from });
}

/** SendGrid's list of suppressed addresses; null without SendGrid. */
export function makeVendorSuppressions({ mail }: Settings): VendorSuppressions | null {
  if (mail.sendgridApiKey === undefined) return null;
  return makeSendgridSuppressions({ apiKey: mail.sendgridApiKey, apiBase: mail.sendgridApiBase });
}

/** What the operator allows for all texts of the service. */
export const textRules = ({ texts, mail }: Settings): TextRules => ({
  countries: texts.countries,
  segmentsPerDay: texts.segmentsPerDay,
  supportEmail: mail.support,
});
