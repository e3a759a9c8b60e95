import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { setViewer } from './features/account/viewer.ts';
import { makeApolloClient } from './lib/server/client/apollo.ts';
import { watchForChunkErrors } from './lib/server/client/chunk-errors.ts';
import { followSystemColourMode } from './lib/state/colour-mode.ts';
import { fetchPage, makeRouter } from './routes.tsx';

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

const client = makeApolloClient(() => setViewer(client, null));
const router = makeRouter();
followSystemColourMode();
watchForChunkErrors();
prefetchOnHint((pathname) => fetchPage(router, pathname));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App client={client} router={router} />
    </StrictMode>,
  );
}
