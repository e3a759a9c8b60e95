import { lazy, Suspense, useEffect, useState } from 'react';
import { Notes } from './Notes.tsx';
import { TopBar } from './TopBar.tsx';
import { askViewer, type Known } from './viewer.ts';

// The bar is there before the editor, which is a hundred times its size.
const Workbench = lazy(() => import('./Workbench.tsx').then((module) => ({ default: module.Workbench })));

/** The page: our bar, what a visitor should know, and GraphiQL below. */
export function Playground() {
  const [viewer, setViewer] = useState<Known>();
  const [isUnsure, setIsUnsure] = useState(false);
  useEffect(() => {
    askViewer().then(setViewer, () => {
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
