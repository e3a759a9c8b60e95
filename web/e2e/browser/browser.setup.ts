import { type BrowserServer, chromium } from 'playwright-core';
import type { ProvidedContext } from 'vitest';
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

interface Stage {
  provided: Pick<ProvidedContext, 'browserPath' | 'browserAddress' | 'lotWatch' | 'accounts'>;
  close(): Promise<void>;
}

async function openStage(): Promise<Stage> {
  const browserPath = findChromium();
  if (browserPath === undefined) {
    process.stderr.write(
      '\n!!! NOT TESTED: everything in a browser. Install chromium, or set CHROMIUM to its path. !!!\n\n',
    );
    const nothing = { browserPath: null, browserAddress: null, lotWatch: null, accounts: null };
    return { provided: nothing, close: async () => {} };
  }
  const starting = shareChromium(browserPath);
  const stopChromium = async () => (await starting)?.close();
  try {
    const { stop, ...lotWatch } = await startLotWatch();
    const accounts = await prepareAccounts(lotWatch);
    const browserAddress = (await starting)?.wsEndpoint() ?? null;
    return {
      provided: { browserPath, browserAddress, lotWatch, accounts },
      async close() {
        await stopChromium();
        await stop();
      },
    };
  } catch (error) {
    await stopChromium();
    throw error;
  }
}

/** Vitest loads this file once for each project; what they share stays here. */
const shared = globalThis as { browserStage?: { stage: Promise<Stage>; users: number } };

/** One LotWatch and one Chromium for all browser tests, and the people whom they share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.browserStage ??= { stage: openStage(), users: 0 };
  const own = shared.browserStage;
  own.users++;
  const { provided, close } = await own.stage;
  for (const key of ['browserPath', 'browserAddress', 'lotWatch', 'accounts'] as const)
    project.provide(key, provided[key]);
  return async () => {
    own.users--;
    if (own.users === 0) await close();
  };
}
