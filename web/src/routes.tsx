import type { ComponentType } from 'react';
import { createBrowserRouter, matchRoutes } from 'react-router-dom';
import { LiveFrame } from './live/LiveFrame.tsx';
import { memberPages, openPages, type PageRow } from './page-table.ts';
import { PageFailed } from './pages/PageFailed.tsx';
import { AppShell } from './shell/AppShell.tsx';
import { MemberFrame } from './shell/MemberFrame.tsx';
import { Spinner } from './ui/parts/states.tsx';

const modules = import.meta.glob<Record<string, ComponentType>>('./pages/**/*Page.tsx');

/** The build fails where the table names a page without a file. */
function toRoute({ path, file, redirectAfterMs }: PageRow) {
  const lazy = async () => {
    const module = await modules[`./pages/${file}.tsx`]?.();
    return { Component: module?.[file.slice(file.lastIndexOf('/') + 1)] ?? null };
  };
  return { path, lazy, handle: { redirectAfterMs } };
}

function FirstLoad() {
  return <Spinner page />;
}

/** Every address of the client; each page's code is fetched when it is first needed. */
export function makeRouter() {
  return createBrowserRouter([
    {
      Component: AppShell,
      ErrorBoundary: PageFailed,
      HydrateFallback: FirstLoad,
      children: [
        { ErrorBoundary: PageFailed, children: openPages.map(toRoute) },
        {
          Component: MemberFrame,
          children: [
            { Component: LiveFrame, children: [{ ErrorBoundary: PageFailed, children: memberPages.map(toRoute) }] },
          ],
        },
      ],
    },
  ]);
}

/** Loads the code of a page that is about to be opened, so that the router has it. */
export function fetchPage(router: ReturnType<typeof makeRouter>, pathname: string): void {
  for (const { route } of matchRoutes(router.routes, pathname) ?? []) {
    // A page that can't be fetched now is fetched again when it is opened.
    if (typeof route.lazy === 'function') void route.lazy().catch(() => undefined);
  }
}
