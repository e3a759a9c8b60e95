import type { ApolloClient, NormalizedCacheObject } from '@apollo/client';
import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { setViewer } from './features/account/viewer.ts';
import { loadCookieBanner } from './features/cookies/CookieNotice.tsx';
import { makeApolloClient } from './lib/server/client/apollo.ts';
import { watchForChunkErrors } from './lib/server/client/chunk-errors.ts';
import { readFirstData } from './lib/server/client/first-data.ts';
import { followSystemColourMode } from './lib/state/colour-mode.ts';
import { cookieConsent } from './lib/state/cookie-consent.ts';
import { setDrawnMoment } from './lib/state/drawn.ts';
import { fetchPage, loadPage, PageRouter, Pages } from './routes.tsx';

const hints = ['pointerover', 'focusin', 'touchstart'] as const;

/** Calls `load` with the path of an internal link when it is pointed at, so that the page's code is loaded before a click. */
function prefetchOnHint(load: (pathname: string) => void): void {
  const seen = new Set<string>();
  const onHint = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || link.origin !== location.origin || seen.has(link.pathname)) return;
    seen.add(link.pathname);
    load(link.pathname);
  };
  for (const hint of hints) addEventListener(hint, onHint, { passive: true });
}

/** What the server put into a page that it drew, as `server.tsx` makes it. */
interface Drawn {
  moment: string;
  cache: NormalizedCacheObject;
}

const text = document.getElementById('drawn')?.textContent;
const drawn = text ? (JSON.parse(text) as Drawn) : null;
if (drawn) setDrawnMoment(new Date(drawn.moment));

/** Figures that are older are fetched again when the page is taken over. */
const FRESH_MS = 10_000;
/** Queries whose answers are the same for a version of LotWatch. */
const constant: ReadonlySet<string | undefined> = new Set(['Catalogue', 'Plans']);

/** Ends the drawn page: what was kept for the app is done now, and old figures are fetched again. */
function TakenOver({ client, children }: { client: ApolloClient; children: ReactNode }) {
  useEffect(() => {
    setDrawnMoment(null);
    client.prioritizeCacheValues = false;
    document.dispatchEvent(new Event('hydrated'));
    if (performance.now() > FRESH_MS) {
      void client.refetchQueries({
        include: 'active',
        onQueryUpdated: ({ queryName }) => !constant.has(queryName),
      });
    }
  }, [client]);
  return children;
}

async function start(): Promise<void> {
  readFirstData();
  const client = makeApolloClient(() => setViewer(client, null), drawn?.cache);
  // Not at the top level: pages import from this module, and would wait for it while it waits for them.
  watchForChunkErrors();
  let isWhole = drawn !== null;
  await Promise.all([
    loadPage(location.pathname).catch(() => {
      // Without the page's code the app begins again, and says what is wrong.
      isWhole = false;
    }),
    drawn && !cookieConsent.get() ? loadCookieBanner() : undefined,
  ]);
  followSystemColourMode();
  prefetchOnHint(fetchPage);
  const root = document.getElementById('root');
  const app = (
    <StrictMode>
      <App client={client}>
        <PageRouter>
          <Pages />
        </PageRouter>
      </App>
    </StrictMode>
  );
  if (!root) return;
  if (!isWhole) setDrawnMoment(null);
  // As a transition it is done in pieces, between which the page answers.
  startTransition(() => {
    if (!drawn) createRoot(root).render(app);
    else if (isWhole) hydrateRoot(root, <TakenOver client={client}>{app}</TakenOver>);
    else createRoot(root).render(<TakenOver client={client}>{app}</TakenOver>);
  });
}

void start();
