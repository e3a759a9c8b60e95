import type { Page } from 'playwright-core';

const allowed = new WeakMap<Page, RegExp[]>();

/** From now on this is no fault of the page: the test brings it about. */
export function allowNoise(page: Page, noise: RegExp): void {
  allowed.set(page, [...(allowed.get(page) ?? []), noise]);
}

/** For a page that the next test goes on with. */
export function clearNoise(page: Page): void {
  allowed.delete(page);
}

/** Collects what a page of LotWatch at `home` must not do: script errors, words on the console, requests elsewhere. */
export function collectNoise(page: Page, home: string): string[] {
  const faults: string[] = [];
  const add = (fault: string) => {
    if (!allowed.get(page)?.some((noise) => noise.test(fault))) faults.push(fault);
  };
  page.on('pageerror', (error) => add(error.message));
  page.on('console', (message) => {
    // A page that doesn't exist is a 404, and Chromium says so of the document itself.
    if (message.location().url === page.url() && message.text().includes('status of 404')) return;
    if (['error', 'warning'].includes(message.type())) add(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== home) add(`request to ${request.url()}`);
  });
  return faults;
}
