import type { Page } from 'playwright-core';

type Me = Record<string, unknown> & { subscription: object };

/** Lets the server's answer to who is signed in differ. */
export const changingViewer = (page: Page, change: (me: Me) => unknown) =>
  page.route('**/graphql', async (route) => {
    const call = (route.request().postDataJSON() ?? {}) as { operationName?: string };
    if (call.operationName !== 'Viewer') return route.fallback();
    const response = await route.fetch();
    const json = (await response.json()) as { data: { me: Me } };
    change(json.data.me);
    return route.fulfill({ response, json });
  });
