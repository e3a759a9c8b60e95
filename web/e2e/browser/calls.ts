import type { Page, Route } from 'playwright-core';
import { cookieName, SESSION_COOKIE } from '../../../api/src/base/cookie-name.ts';

interface Call {
  operationName: string;
  variables: unknown;
}

/** Collects the GraphQL calls that the page makes over HTTP from now on. */
export function collectCalls(page: Page): readonly Call[] {
  const calls: Call[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql') && request.method() === 'POST') calls.push(request.postDataJSON());
  });
  return calls;
}

const withoutData = new WeakSet<Page>();

/**
 * Lets the pages that are loaded from now on ask for all their data: a visitor's page is not drawn by the server, as one
 * whose session has ended gets it, and a signed-in page comes empty and without its first data, as when that took too long.
 */
export async function leaveOutFirstData(page: Page): Promise<void> {
  if (withoutData.has(page)) return;
  withoutData.add(page);
  // Pictures are taken without the test runner, which knows the address: the context knows it too.
  const url = new URL((await page.context().request.get('/livez')).url()).origin;
  const session = cookieName(SESSION_COOKIE, url);
  const cookies = await page.context().cookies(url);
  if (!cookies.some(({ name }) => name === session))
    await page.context().addCookies([{ name: session, value: 'ended', url }]);
  await page.addInitScript(() => {
    const remove = () => {
      const data = document.getElementById('first-data');
      if (!data) return;
      data.remove();
      // What the server drew with it.
      document.getElementById('root')?.replaceChildren();
    };
    new MutationObserver(remove).observe(document, { childList: true, subtree: true });
  });
}

/** Routes this page's calls of these operations to `handle`; '*' means all. @returns a function that ends it */
export async function intercept(page: Page, operations: string | string[], handle: (route: Route) => Promise<void>) {
  await leaveOutFirstData(page);
  const chosen = new Set([operations].flat());
  const onCall = (route: Route) => {
    const { operationName = '' } = (route.request().postDataJSON() ?? {}) as Partial<Call>;
    return chosen.has('*') || chosen.has(operationName) ? handle(route) : route.fallback();
  };
  await page.route('**/graphql', onCall);
  return () => page.unroute('**/graphql', onCall);
}

type Me = Record<string, unknown> & { subscription: object };

/** Changes the server's answer about the signed-in user. */
export const changeViewer = (page: Page, change: (me: Me) => unknown) =>
  intercept(page, 'Viewer', async (route) => {
    const response = await route.fetch();
    const json = (await response.json()) as { data: { me: Me } };
    change(json.data.me);
    await route.fulfill({ response, json });
  });
