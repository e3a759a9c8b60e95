import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { fitPrices, updateBands } from '../intake/price-models.ts';
import type { Job } from './job.ts';

interface FitParts {
  pool: Pool;
  log: Log;
  signal: AbortSignal;
  now: () => Date;
}

/** Fits the model of prices each day, and gives the listings that are for sale their bands by it. */
export const fitPricesJob: Job<FitParts> = {
  name: 'fit-prices',
  everyMs: 120_000,
  async run({ pool, log, signal, now }) {
    const cars = await fitPrices(pool, now(), signal);
    const bands = await updateBands(pool, signal);
    if (cars !== null || bands > 0) log.info('fitted prices', { cars, bands });
    return undefined;
  },
};
