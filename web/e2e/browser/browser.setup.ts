import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_FLAGS, findChromium } from './find-chromium.ts';
import { type LotWatchUnderTest, prepareAccounts, startLotWatch } from './running.ts';
import type { Account } from './session.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** null where there is no browser: then the tests in it are skipped, and said to be. */
    browserPath: string | null;
    /** Where the run's one Chromium listens; null where each file starts its own. */
    browserAddress: string | null;
    lotWatch: LotWatchUnderTest | null;
    accounts: Record<'user' | 'admin' | 'paid', Account> | null;
  }
}

/** The run's one Chromium. Where it can't be shared, each file starts its own: slower, and said so. */
async function shareChromium(executablePath: string): Promise<BrowserServer | undefined> {
  try {
    return await chromium.launchServer({ executablePath, args: CHROMIUM_FLAGS });
  } catch (error) {
    process.stderr.write(`\nNo Chromium to share, so each file of tests starts its own: ${String(error)}\n`);
    return undefined;
  }
}

/** One LotWatch and one Chromium for all browser tests, and the people whom they share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browserPath = findChromium();
  project.provide('browserPath', browserPath ?? null);
  if (browserPath === undefined) {
    project.provide('browserAddress', null);
    project.provide('lotWatch', null);
    project.provide('accounts', null);
    process.stderr.write(
      '\n!!! NOT TESTED: everything in a browser. Install chromium, or set CHROMIUM to its path. !!!\n\n',
    );
    return async () => {};
  }
  const starting = shareChromium(browserPath);
  const stopChromium = async () => (await starting)?.close();
  try {
    const { stop, ...lotWatch } = await startLotWatch();
    project.provide('browserAddress', (await starting)?.wsEndpoint() ?? null);
    project.provide('lotWatch', lotWatch);
    project.provide('accounts', await prepareAccounts(lotWatch));
    return async () => {
      await stopChromium();
      await stop();
    };
  } catch (error) {
    await stopChromium();
    throw error;
  }
}
