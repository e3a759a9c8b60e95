import type { Page } from 'playwright-core';

const allowed = new WeakMap<Page, RegExp[]>();

/** From now on this message is no fault of the page, because the test causes it. */
export function allowPageErrors(page: Page, pageError: RegExp): void {
  allowed.set(page, [...(allowed.get(page) ?? []), pageError]);
}

/** Ends the allowances, for a page that the next test uses. */
export function clearAllowedErrors(page: Page): void {
  allowed.delete(page);
}

/** Collects faults of a page of LotWatch at `home`: script errors, console output, and requests to other servers. */
export function collectPageErrors(page: Page, home: string): string[] {
  const faults: string[] = [];
  const add = (fault: string) => {
    if (!allowed.get(page)?.some((pageError) => pageError.test(fault))) faults.push(fault);
  };
  page.on('pageerror', (error) => add(error.message));
  page.on('console', (message) => {
    // Chromium reports the 404 of a page that doesn't exist.
    if (message.location().url === page.url() && message.text().includes('status of 404')) return;
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (['error', 'warning'].includes(message.type())) add(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== home) add(`request to ${request.url()}`);
  });
  return faults;
}
