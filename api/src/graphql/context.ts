import type { EntityManager } from '@mikro-orm/postgresql';
import type { PhoneParts } from '../accounts/phone/send-phone-code.ts';
import type { Caller, CallLimits, SessionControl } from '../accounts/signed-in.ts';
import type { Pool } from '../base/database.ts';
import type { Encryption } from '../base/encryption.ts';
import { AppError } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import type { SecurityLog } from '../base/security-events.ts';
import type { BillingParts } from '../billing/make-billing.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import type { QuarantineFilter } from '../intake/quarantine.ts';
import type { RetriedCounts } from '../intake/store-retried.ts';
import type { MatchFeed } from '../live/match-feed.ts';
import type { WebhookDeps } from '../webhooks/manage/change-webhook.ts';
import { type AnyLoaders, type Loaders, loadersFor, makeSharedLoaders } from './loaders/make-loaders.ts';
import type { SiteReader } from './site-reader.ts';

/** What resolvers use of the running process; the same for all requests. */
export interface ApiParts {
  pool: Pool;
  em: EntityManager;
  gazetteer: Gazetteer;
  feed: Pick<MatchFeed, 'follow'>;
  limits: CallLimits;
  security: SecurityLog;
  billing: BillingParts;
  site: SiteReader;
  /** Signs the links in mails, and the paths of photos. */
  linkSecret: Secret;
  /** The admin must have a password of their own: in production. */
  guardsAdmin: boolean;
  publicUrl: string;
  confirmEmail: boolean;
  webhooks: Omit<WebhookDeps, 'pool' | 'confirmEmail'>;
  /** Encrypts what authenticator apps share with accounts. */
  secondFactorEncryption: Encryption;
  /** What texts and confirms phones. */
  phone: PhoneParts;
  /** Reads what was set aside once more, for some seconds; `endId` where there is more. */
  retryQuarantined(
    filter: QuarantineFilter,
    after: number | undefined,
  ): Promise<RetriedCounts & { tried: number; endId: number | null }>;
}

export interface Context extends Caller {
  parts: ApiParts;
  em: EntityManager;
  loaders: Loaders;
}

/** What an operation may share with others. */
interface Shared {
  /** Of all subscribers: a listing that fits a thousand of them is read once. */
  loaders?: AnyLoaders | undefined;
  /** Of the transaction that the operation is a part of. */
  em?: EntityManager | undefined;
}

/** A context for one operation, with an entity manager and loaders of its own where it shares none. */
export function makeContext(parts: ApiParts, caller: Caller, shared: Shared = {}): Context {
  let em = shared.em;
  const loaders = loadersFor(caller.viewer, shared.loaders ?? makeSharedLoaders(parts));
  return {
    ...caller,
    parts,
    loaders,
    get em() {
      em ??= parts.em.fork();
      return em;
    },
  };
}

/** @throws AppError FORBIDDEN where nobody can be signed in or out */
export function requireSession(context: Context): SessionControl {
  if (context.session) return context.session;
  throw new AppError('FORBIDDEN', 'Signing in and out goes over HTTP, not over a WebSocket.');
}
