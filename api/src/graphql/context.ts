import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller, CallLimits, SessionControl, Viewer } from '../accounts/signed-in.ts';
import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import type { QuarantineFilter } from '../intake/quarantine/read-quarantine.ts';
import type { RetriedCounts } from '../intake/quarantine/store-retried.ts';
import type { MatchFeed } from '../live/match-feed.ts';
import { canAdministrate } from '../policies/admin.ts';
import { type AnyLoaders, type Loaders, loadersFor, makeSharedLoaders } from './loaders/make-loaders.ts';
import type { SiteReader } from './site-reader.ts';

/** What resolvers use of the running process; the same for all requests. */
export interface ApiParts {
  pool: Pool;
  em: EntityManager;
  gazetteer: Gazetteer;
  feed: Pick<MatchFeed, 'follow'>;
  limits: CallLimits;
  site: SiteReader;
  /** Signs the links in mails. */
  linkSecret: string;
  confirmEmail: boolean;
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

/**
 * A context for one operation. Its entity manager is its own, and so are its loaders but where subscribers share
 * them: a listing that fits a thousand of them is read once.
 */
export function makeContext(parts: ApiParts, caller: Caller, shared?: AnyLoaders): Context {
  let em: EntityManager | undefined;
  const loaders = loadersFor(caller.viewer, shared ?? makeSharedLoaders(parts));
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

/** @throws AppError UNAUTHENTICATED for a visitor */
export function requireViewer(context: Context): Viewer {
  if (!context.viewer) throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return context.viewer;
}

/** @throws AppError FORBIDDEN where nobody can be signed in or out */
export function requireSession(context: Context): SessionControl {
  if (context.session) return context.session;
  throw new AppError('FORBIDDEN', 'Signing in and out goes over HTTP, not over a WebSocket.');
}

/** @throws AppError UNAUTHENTICATED for a visitor, FORBIDDEN for anyone but the admin */
export function requireAdmin(context: Context): Viewer {
  const viewer = requireViewer(context);
  if (!canAdministrate(viewer)) throw new AppError('FORBIDDEN', 'Access Denied');
  return viewer;
}
