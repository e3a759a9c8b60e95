import { lazy, Suspense, useEffect, useState } from 'react';
import { TopBar } from './TopBar.tsx';
import { fetchViewer, type Known, signInHref } from './viewer.ts';

// The bar is shown before the editor, whose code is a hundred times its size.
const Workbench = lazy(() => import('./Workbench.tsx').then((module) => ({ default: module.Workbench })));

/** The page: LotWatch's bar, notes for the user, and GraphiQL below. */
export function Playground() {
  const [viewer, setViewer] = useState<Known>();
  const [isUnsure, setIsUnsure] = useState(false);
  useEffect(() => {
    fetchViewer().then(setViewer, () => {
      setIsUnsure(true);
      setViewer(null);
    });
  }, []);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <TopBar viewer={viewer} />
      <Notes viewer={viewer} isUnsure={isUnsure} />
      <main id="main" tabIndex={-1}>
        <Suspense fallback={<Waiting />}>{viewer === undefined ? <Waiting /> : <Workbench viewer={viewer} />}</Suspense>
      </main>
    </>
  );
}

function Waiting() {
  return (
    <p className="waiting" role="status">
      Opening the editor …
    </p>
  );
}

/** The app's badge for a server without real payments. */
const isTestMode = document.documentElement.dataset.testMode !== undefined;

/** Notes below the bar: whether payments and mails are real, and that a visitor can sign in. */
function Notes({ viewer, isUnsure }: { viewer: Known; isUnsure: boolean }) {
  return (
    <>
      {isTestMode ? (
        <aside className="note" aria-label="Test mode">
          <a className="way" href="/dev/outbox">
            Test mode: nothing is charged, mail stays on this machine
          </a>
        </aside>
      ) : null}
      {isUnsure ? (
        <aside className="note" aria-label="Not connected">
          We couldn’t check who is signed in.{' '}
          <a className="way" href="/playground">
            Try again
          </a>
        </aside>
      ) : null}
      {viewer === null && !isUnsure ? (
        <aside className="note" aria-label="Visitors">
          You can read the whole API here.{' '}
          <a className="way" href={signInHref}>
            Sign in to run more
          </a>
        </aside>
      ) : null}
    </>
  );
}
