import type { ApolloClient } from '@apollo/client';
import { type ReactNode, StrictMode, startTransition, useEffect } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { setViewer } from './features/account/viewer.ts';
import { loadCookieBanner } from './features/cookies/CookieNotice.tsx';
import { makeApolloClient } from './lib/server/client/apollo.ts';
import { isChunkError, watchForChunkErrors } from './lib/server/client/chunk-errors.ts';
import { type Drawn, readFirstData } from './lib/server/client/first-data.ts';
import { followSystemColourMode } from './lib/state/colour-mode.ts';
import { cookieConsent } from './lib/state/cookie-consent.ts';
import { endDrawing, isVisitorsDrawing, setDrawing } from './lib/state/drawn.ts';
import { newCarCount } from './lib/state/new-cars.ts';
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

/** What the server put into a page that it drew for visitors, as `server.tsx` makes it. */
function readDrawn(): Drawn | null {
  const text = document.getElementById('drawn')?.textContent;
  return text ? (JSON.parse(text) as Drawn) : null;
}

/** Figures that are older are fetched again when the page is taken over. */
const FRESH_MS = 10_000;
/** Queries whose answers are the same for a version of LotWatch. */
const constant: ReadonlySet<string | undefined> = new Set(['Catalogue', 'Plans']);

interface TakenOverProps {
  client: ApolloClient;
  /** Whether it shows what the server drew. */
  isDrawn: boolean;
  children: ReactNode;
}

/** Ends the drawn page: what was kept for the app is done now, and old figures are fetched again. */
function TakenOver({ client, isDrawn, children }: TakenOverProps) {
  useEffect(() => {
    endDrawing();
    client.prioritizeCacheValues = false;
    document.dispatchEvent(new Event('hydrated'));
    if (isDrawn && performance.now() > FRESH_MS) {
      void client.refetchQueries({
        include: 'active',
        onQueryUpdated: ({ queryName }) => !constant.has(queryName),
      });
    }
  }, [client, isDrawn]);
  return children;
}

/** A page that can't be loaded says so itself, and is no fault of the code. */
function onCaughtError(error: unknown): void {
  if (!isChunkError(error)) console.error(error);
}

async function start(): Promise<void> {
  const drawn = readFirstData() ?? readDrawn();
  if (drawn) {
    const { moment, offsetMs } = drawn;
    const user = offsetMs === undefined ? null : { offsetMs, newCount: newCarCount.get() ?? 0 };
    setDrawing({ moment: new Date(moment), user });
  }
  const client = makeApolloClient(() => setViewer(client, null), drawn?.cache);
  // Not at the top level: pages import from this module, and would wait for it while it waits for them.
  watchForChunkErrors();
  let isWhole = drawn !== null;
  await Promise.all([
    loadPage(location.pathname).catch(() => {
      // Without the page's code the app begins again, and says what is wrong.
      isWhole = false;
    }),
    isVisitorsDrawing() && !cookieConsent.get() ? loadCookieBanner() : undefined,
  ]);
  followSystemColourMode();
  prefetchOnHint(fetchPage);
  const root = document.getElementById('root');
  const app = (
    <TakenOver client={client} isDrawn={isWhole}>
      <StrictMode>
        <App client={client}>
          <PageRouter>
            <Pages />
          </PageRouter>
        </App>
      </StrictMode>
    </TakenOver>
  );
  if (!root) return;
  if (!isWhole) setDrawing(null);
  // As a transition it is done in pieces, between which the page answers.
  startTransition(() => {
    if (isWhole) hydrateRoot(root, app, { onCaughtError });
    else createRoot(root, { onCaughtError }).render(app);
  });
}

void start();
