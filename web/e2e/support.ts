import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { inject } from 'vitest';
import type { LotWatchUnderTest } from './browser.setup.ts';

const browserPath = inject('browserPath');

/** For `describe.skipIf(!canBrowse)`. */
export const canBrowse: boolean = browserPath !== null;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The running LotWatch. @throws where there is no browser, for then none is started */
export function lotWatch(): LotWatchUnderTest {
  const running = inject('lotWatch');
  if (running === null) throw new Error('no browser on this machine');
  return running;
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserPath ?? '', args: FLAGS });
}

/** A person's browser: own cookies, and pages whose relative addresses lead to LotWatch. */
export function newVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  return browser.newContext({ baseURL: lotWatch().url, viewport: { width: 1280, height: 900 }, ...options });
}

/** Collects what a page must not do: script errors, and requests that leave LotWatch. */
export function watchPage(page: Page): string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== lotWatch().url) faults.push(`request to ${request.url()}`);
  });
  return faults;
}

export interface OutboxMail {
  kind: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  alertId: string | number | null;
  sentAt: string;
}

/** The mails that LotWatch has sent, newest last. */
export function readOutbox(): OutboxMail[] {
  const path = join(lotWatch().dataDir, 'outbox.ndjson');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as OutboxMail);
}

/** Pushes marketplace items as an operator would. */
export async function pushItems(source: string, items: unknown[]): Promise<unknown> {
  const answer = await fetch(`${lotWatch().url}/api/ingest/${source}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lotWatch().ingestToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(items),
  });
  return answer.json();
}
