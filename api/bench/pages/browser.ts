import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../web/e2e/browser/find-chromium.ts';
import type { Cookies } from '../../../web/e2e/browser/session.ts';

const FLAGS = ['--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update'];

/** The size, touch and density of a phone. */
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
};

/** The mobile network and processor of the phone: of 1.6 Mbit/s and 150 ms, and a quarter as fast as this machine's. */
const SLOW = { bytesPerSecond: 1_600_000 / 8, upBytesPerSecond: 750_000 / 8, latencyMs: 150, factor: 4 };

/** Starts Chromium with what it optimises for people, which the tests leave out. @throws Error without a Chromium */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: set CHROMIUM to its path');
  return await chromium.launch({ executablePath, args: FLAGS });
}

const COOKIE_CONSENT = { necessary: true, analytics: false, preferences: false, marketing: false, accepted: true };

/** A browser of somebody who has been here before if there are cookies, else of a new visitor. */
export async function newVisitor(
  browser: Browser,
  url: string,
  cookies: Cookies,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const localStorage = [{ name: 'cookie-consent', value: JSON.stringify(COOKIE_CONSENT) }];
  const origins = cookies.length > 0 ? [{ origin: url, localStorage }] : [];
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1280, height: 900 },
    storageState: { cookies: [], origins },
    ...options,
  });
  await context.addCookies(cookies);
  return context;
}

/** Makes a page as slow as on a phone. @param network also its network, which is as quick as this machine otherwise */
export async function slowDown(page: Page, network: boolean): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOW.factor });
  if (!network) return;
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.latencyMs,
    downloadThroughput: SLOW.bytesPerSecond,
    uploadThroughput: SLOW.upBytesPerSecond,
  });
}
