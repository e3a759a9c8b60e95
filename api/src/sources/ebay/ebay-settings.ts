import { z } from 'zod';
import { commonSettings, headerValue, httpUrl } from '../kinds/common-settings.ts';

const DAY_SECONDS = 86_400;
/** The share of a day's calls that may be made at once; the others are spread over the day. */
const BURST = 0.2;
/** The share of the others that reads of the newest page may take: without a rest, old pages would never be read. */
const MAX_FOR_READS = 0.75;

/** How many calls may be made at once, and how many more each second adds: together never more than a day's in 24 hours. */
export function callRate(callsPerDay: number): { burst: number; perSecond: number } {
  const burst = Math.max(1, Math.floor(callsPerDay * BURST));
  return { burst, perSecond: (callsPerDay - burst) / DAY_SECONDS };
}

/** Settings of a source that is eBay's Browse API. */
export const ebaySettings = z
  .strictObject({
    ...commonSettings,
    kind: z.literal('ebay'),
    clientId: headerValue.min(1).max(200),
    clientSecret: headerValue.min(1).max(200),
    zip: z
      .string()
      .regex(/^\d{5}$/, 'must be five digits')
      .optional(),
    radiusMiles: z.number().int().min(1).max(500).optional(),
    callsPerDay: z.number().int().min(50, 'must be at least 50').max(10_000_000).default(5000),
    apiBase: httpUrl.default('https://api.ebay.com'),
  })
  .refine(({ zip, radiusMiles }) => (zip === undefined) === (radiusMiles === undefined), {
    error: 'zip and radiusMiles are set together, or neither for all of the United States',
  })
  .check(({ value: { everySeconds, callsPerDay }, issues }) => {
    const least = Math.ceil(1 / (callRate(callsPerDay).perSecond * MAX_FOR_READS));
    if (everySeconds >= least) return;
    const message = `must be at least ${least}, as callsPerDay is ${callsPerDay}`;
    issues.push({ code: 'custom', message, input: everySeconds, path: ['everySeconds'] });
  });

export type EbaySettings = z.infer<typeof ebaySettings>;
