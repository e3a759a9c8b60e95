import { Component, type ComponentType, type ReactNode, startTransition, useLayoutEffect, useState } from 'react';
import {
  type NavigationType as Action,
  UNSAFE_createBrowserHistory as createBrowserHistory,
  type Location,
  matchPath,
  matchRoutes,
  Outlet,
  parsePath,
  type RouteObject,
  Router,
  type To,
  useLocation,
  useRoutes,
} from 'react-router-dom';
import { LiveFrame } from './live/LiveFrame.tsx';
import { memberPages, openPages, type PageRow } from './page-table.ts';
import { PageFailed } from './pages/PageFailed.tsx';
import { AppShell } from './shell/AppShell.tsx';
import { MemberFrame } from './shell/MemberFrame.tsx';

const modules = import.meta.glob<Record<string, ComponentType>>('./pages/**/*Page.tsx');

/** The pages whose code is there, by their files, and what hindered others. */
const loaded = new Map<string, ComponentType>();
const failures = new Map<string, unknown>();

const fileOf = (pathname: string): string =>
  matchRoutes([...openPages, ...memberPages], pathname)?.[0]?.route.file ?? '';

/** Loads the code of a page, as it must be there when the page is rendered. The build fails if the table names no file. */
export async function loadPage(pathname: string): Promise<void> {
  const file = fileOf(pathname);
  if (loaded.has(file)) return;
  try {
    const module = await modules[`./pages/${file}.tsx`]?.();
    const page = module?.[file.slice(file.lastIndexOf('/') + 1)];
    if (page) loaded.set(file, page);
  } catch (error) {
    failures.set(file, error);
    throw error;
  }
}

/** Loads the code of a page that is about to be opened. */
export function fetchPage(pathname: string): void {
  // A page that can't be fetched now is fetched again when it is opened.
  loadPage(pathname).catch(() => undefined);
}

function Page({ file }: { file: string }) {
  const Loaded = loaded.get(file);
  if (!Loaded) throw failures.get(file) ?? new Error(`${file} is not loaded`);
  return <Loaded />;
}

interface BoundaryProps {
  address: object;
  children: ReactNode;
}

interface BoundaryState {
  failure: { error: unknown } | null;
}

class PageBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null };

  static getDerivedStateFromError(error: unknown): BoundaryState {
    return { failure: { error } };
  }

  override componentDidUpdate(before: BoundaryProps, { failure }: BoundaryState): void {
    if (failure && before.address !== this.props.address) this.setState({ failure: null });
  }

  override render(): ReactNode {
    return this.state.failure ? <PageFailed error={this.state.failure.error} /> : this.props.children;
  }
}

/** Shows what failed in the place of a page, until another address is opened. */
function PageFrame() {
  return (
    <PageBoundary address={useLocation()}>
      <Outlet />
    </PageBoundary>
  );
}

const toRoute = ({ path, file }: PageRow): RouteObject => ({ path, element: <Page file={file} /> });

/** How long a visitor sees the spinner before the sign-in page, in milliseconds. */
const redirectDelayOf = (pathname: string): number =>
  memberPages.find(({ path }) => matchPath(path, pathname))?.redirectAfterMs ?? 0;

/** Every address of the client; each page's code is fetched when it is first needed. */
const routes: RouteObject[] = [
  {
    element: <AppShell />,
    children: [
      {
        element: <PageFrame />,
        children: [
          ...openPages.map(toRoute),
          {
            element: <MemberFrame redirectDelayOf={redirectDelayOf} />,
            children: [
              { element: <LiveFrame />, children: [{ element: <PageFrame />, children: memberPages.map(toRoute) }] },
            ],
          },
        ],
      },
    ],
  },
];

/** The page of the address. */
export function Pages() {
  return useRoutes(routes);
}

/** The browser's addresses, which change when the code of the next page is there; of several the last one counts. */
function makeAddresses() {
  const history = createBrowserHistory({ v5Compat: true });
  let last = 0;
  const onceLoaded = (to: To, then: () => void): void => {
    const { pathname = location.pathname } = typeof to === 'string' ? parsePath(to) : to;
    last += 1;
    const mine = last;
    const go = () => (mine === last ? then() : undefined);
    if (loaded.has(fileOf(pathname))) go();
    else loadPage(pathname).then(go, go);
  };
  const push = (to: To, state: unknown) => onceLoaded(to, () => history.push(to, state));
  const replace = (to: To, state: unknown) => onceLoaded(to, () => history.replace(to, state));
  const follow = (show: (shown: { action: Action; location: Location }) => void) =>
    history.listen(({ action, location }) => {
      const change = () => startTransition(() => show({ action, location }));
      // The browser has already gone back or forward.
      if (action === 'POP') onceLoaded(location, change);
      else change();
    });
  return { history, navigator: { ...history, push, replace }, follow };
}

/** React Router's `BrowserRouter`, but until the code of the next page is there, the former page and its address stay. */
export function PageRouter({ children }: { children: ReactNode }) {
  const [{ history, navigator, follow }] = useState(makeAddresses);
  const [{ action, location }, show] = useState({ action: history.action, location: history.location });
  useLayoutEffect(() => follow(show), [follow]);
  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  );
}
