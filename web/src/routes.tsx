import type { ComponentType } from 'react';
import { createBrowserRouter, matchRoutes, type RouteObject } from 'react-router-dom';
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
export function makeRoutes(): RouteObject[] {
  return [
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
  ];
}

type AppRoutes = ReturnType<typeof makeRoutes>;

/** Loads the code of a page, so that it is there at the first rendering. */
async function loadPage(routes: AppRoutes, pathname: string): Promise<void> {
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    if (typeof route.lazy !== 'function') continue;
    Object.assign(route, await route.lazy());
    delete route.lazy;
  }
}

/** The router of the browser. @param isDrawn whether the server drew the page, whose code must then be there at once */
export async function makeRouter(isDrawn: boolean) {
  const routes = makeRoutes();
  if (isDrawn) await loadPage(routes, location.pathname);
  // With data of the server, if empty, it leaves the scroll position alone, which somebody may have changed meanwhile.
  return createBrowserRouter(routes, isDrawn ? { hydrationData: { loaderData: {} } } : undefined);
}

export type AppRouter = Awaited<ReturnType<typeof makeRouter>>;

/** Loads the code of a page that is about to be opened, so that the router has it. */
export function fetchPage(router: AppRouter, pathname: string): void {
  for (const { route } of matchRoutes(router.routes, pathname) ?? []) {
    // A page that can't be fetched now is fetched again when it is opened.
    if (typeof route.lazy === 'function') void route.lazy().catch(() => undefined);
  }
}
