import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { setViewer } from './features/account/viewer.ts';
import { makeApolloClient } from './lib/server/client/apollo.ts';
import { watchForLostCode } from './lib/server/client/lost-code.ts';
import { followSystemColourMode } from './lib/state/colour-mode.ts';
import { fetchPage, makeRouter } from './routes.tsx';
import { prefetchOnHint } from './shell/prefetch.ts';

const client = makeApolloClient(() => setViewer(client, null));
const router = makeRouter();
followSystemColourMode();
watchForLostCode();
prefetchOnHint((pathname) => fetchPage(router, pathname));

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App client={client} router={router} />
    </StrictMode>,
  );
}
