import type { EntityManager } from '@mikro-orm/postgresql';
import type { CallLimits } from '../accounts/call-limits.ts';
import type { PhoneParts } from '../accounts/phone/phone-codes.ts';
import type { Caller, SessionControl } from '../accounts/signed-in.ts';
import type { WhileAwaited } from '../base/awaited-query.ts';
import type { Pool } from '../base/database.ts';
import type { Encryption } from '../base/encryption.ts';
import { AppError } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import type { SecurityLog } from '../base/security-events.ts';
import type { BillingParts } from '../billing/make-billing.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import type { ReadPriceModel } from '../intake/price-models.ts';
import type { QuarantineFilter } from '../intake/quarantine.ts';
import type { RetriedCounts } from '../intake/store-retried.ts';
import type { MarketplaceUrl } from '../listings/marketplace-links.ts';
import type { MatchFeed } from '../live/match-feed.ts';
import type { SourceSettings } from '../sources/kinds/source-kinds.ts';
import type { SourceChangeDeps } from '../sources/manage/source-input.ts';
import type { TriedSource } from '../sources/try-source.ts';
import type { VendorSuppressions } from '../vendors/mail.ts';
import type { PostTargets } from '../vendors/target-fault.ts';
import type { WebhookDeps } from '../webhooks/manage/change-webhook.ts';
import { type AnyLoaders, type Loaders, loadersFor, makeSharedLoaders } from './loaders/make-loaders.ts';
import type { SiteReader } from './site-reader.ts';
import type { Status } from './status-reader.ts';

/** The parts of the running process that resolvers use; the same for all requests. */
export interface ApiParts {
  pool: Pool;
  /** For what may take long and is not needed once the caller has left. */
  whileAwaited: WhileAwaited;
  em: EntityManager;
  gazetteer: Gazetteer;
  feed: Pick<MatchFeed, 'subscribe'>;
  limits: CallLimits;
  security: SecurityLog;
  billing: BillingParts;
  site: SiteReader;
  marketplaceUrl: MarketplaceUrl;
  status(): Promise<Status>;
  prices: ReadPriceModel;
  /** Signs the links in mails, and the paths of photos. */
  linkSecret: Secret;
  /** True in production: the admin must have changed the initial password. */
  guardsAdmin: boolean;
  publicUrl: string;
  confirmEmail: boolean;
  /** null where mails go to the outbox. */
  vendorSuppressions: VendorSuppressions | null;
  webhooks: Omit<WebhookDeps, 'pool' | 'confirmEmail'>;
  sources: SourceChangeDeps & {
    /** Whether listings can be pushed. */
    acceptsPushes: boolean;
    /** Reads some records of a source and stores none. */
    trySource(settings: SourceSettings, signal: AbortSignal): Promise<TriedSource>;
  };
  push: {
    /** The public VAPID key, in base64url. */
    publicKey(): Promise<string>;
    targets: PostTargets;
  };
  /** Encrypts the secrets that authenticator apps share with accounts. */
  secondFactorEncryption: Encryption;
  phone: PhoneParts;
  /** Retries quarantined records for some seconds; `endId` is null once none is left. */
  retryQuarantined(
    filter: QuarantineFilter,
    after: number | undefined,
  ): Promise<RetriedCounts & { tried: number; endId: number | null }>;
}

export interface Context extends Caller {
  parts: ApiParts;
  /** Aborts when nobody waits for the answer any more. */
  gone: AbortSignal;
  em: EntityManager;
  loaders: Loaders;
}

/** What an operation can share with others. */
interface Shared {
  /** Shared by all subscribers: a listing that matches a thousand alerts is read once. */
  loaders?: AnyLoaders | undefined;
  /** The entity manager of the transaction that the operation is a part of. */
  em?: EntityManager | undefined;
  /** Without it somebody waits until the end. */
  gone?: AbortSignal;
}

const never = new AbortController().signal;

/** Makes the context of one operation, with its own entity manager and loaders unless they are shared. */
export function makeContext(parts: ApiParts, caller: Caller, shared: Shared = {}): Context {
  let em = shared.em;
  const loaders = loadersFor(caller.viewer, shared.loaders ?? makeSharedLoaders(parts));
  return {
    ...caller,
    parts,
    loaders,
    gone: shared.gone ?? never,
    get em() {
      em ??= parts.em.fork();
      return em;
    },
  };
}

/** @throws AppError FORBIDDEN on a WebSocket, which can't set cookies */
export function requireSession(context: Context): SessionControl {
  if (context.session) return context.session;
  throw new AppError('FORBIDDEN', 'Signing in and out is possible only over HTTP, not over a WebSocket.');
}
