import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';
import { findChromium } from './find-chromium.ts';
import { holdPrices, type LotWatchUnderTest, prepareAccounts, startLotWatch } from './running.ts';
import type { Account } from './session.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** null without a browser: then the browser tests are skipped, which is reported. */
    browserPath: string | null;
    lotWatch: LotWatchUnderTest | null;
    accounts: Record<'user' | 'admin' | 'paid', Account> | null;
  }
}

interface Environment {
  provided: Pick<ProvidedContext, 'browserPath' | 'lotWatch' | 'accounts'>;
  close(): Promise<void>;
}

async function openEnvironment(): Promise<Environment> {
  const browserPath = findChromium();
  if (browserPath === undefined) {
    process.stderr.write(
      '\n!!! NOT TESTED: everything in a browser. Install chromium, or set CHROMIUM to its path. !!!\n\n',
    );
    const nothing = { browserPath: null, lotWatch: null, accounts: null };
    return { provided: nothing, close: async () => {} };
  }
  const { stop, ...lotWatch } = await startLotWatch();
  try {
    await holdPrices(lotWatch);
    const accounts = await prepareAccounts(lotWatch);
    return { provided: { browserPath, lotWatch, accounts }, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Shared by the projects, because Vitest loads this file once for each. */
const shared = globalThis as { browserEnvironment?: { environment: Promise<Environment>; users: number } };

/** Starts one LotWatch for all browser tests, with the shared users. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.browserEnvironment ??= { environment: openEnvironment(), users: 0 };
  const own = shared.browserEnvironment;
  own.users++;
  const { provided, close } = await own.environment;
  for (const key of ['browserPath', 'lotWatch', 'accounts'] as const) project.provide(key, provided[key]);
  return async () => {
    own.users--;
    if (own.users === 0) await close();
  };
}
