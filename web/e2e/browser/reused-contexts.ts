import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

/** A browser context that tests use one after another, so that its process need not compile the app again for each. */
export interface ReusedContext {
  context: BrowserContext;
  /** What tells it from contexts that were opened with other options. */
  options: string;
  /** Stays open between tests and keeps the process. */
  keeper: Page;
  devtools: CDPSession;
}

/** Those that no test uses at the moment, the longest unused first. Each has a process of its own. */
let free: ReusedContext[] = [];
const MAX_FREE = 3;

/** Removes what the last test has left. It is done late: an answer may set a cookie after its page was closed. */
async function clear({ context, keeper, devtools }: ReusedContext, home: string): Promise<void> {
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
  await devtools.send('Storage.clearDataForOrigin', { origin: home, storageTypes: 'indexeddb,cache_storage' });
  await keeper.evaluate('localStorage.clear()');
}

/**
 * Takes a context without cookies and stored data, in which only the browser's cache is left of earlier tests.
 * @param home the address of LotWatch
 * @param options of the contexts that `make` opens
 */
export async function takeContext(
  browser: Browser,
  home: string,
  options: string,
  make: () => Promise<BrowserContext>,
): Promise<ReusedContext> {
  free = free.filter(({ context, keeper }) => context.browser() === browser && !keeper.isClosed());
  const known = free.findLast((one) => one.options === options);
  if (known) {
    free = free.filter((one) => one !== known);
    await clear(known, home);
    return known;
  }
  const context = await make();
  const keeper = await context.newPage();
  await keeper.goto(`${home}/favicon.svg`);
  return { context, options, keeper, devtools: await context.newCDPSession(keeper) };
}

/** Closes the pages of a test, and keeps their context for the next one. */
export async function giveBack(reused: ReusedContext): Promise<void> {
  const { context, keeper } = reused;
  await Promise.all(context.pages().map((page) => (page === keeper ? undefined : page.close())));
  free.push(reused);
  if (free.length > MAX_FREE) await free.shift()?.context.close();
}
