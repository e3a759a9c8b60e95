import { z } from 'zod';
import { commonSettings, httpUrl } from '../kinds/common-settings.ts';
import { siteOf } from './site/site-requests.ts';

const pattern = z
  .string()
  .max(200)
  .regex(/^[/*]/, 'must begin with / or *')
  .refine((text) => text.split('*').length <= 10, 'has too many *');
const patterns = z.array(pattern).min(1).max(50);

const MAX_PAGES = 5_000;

/** Those addresses that are not of the same site as the first. */
const ofOtherSites = (first: string | undefined, others: readonly string[]): string[] => {
  const own = URL.parse(first ?? '');
  return own === null ? [] : others.filter((page) => URL.canParse(page) && siteOf(new URL(page)) !== siteOf(own));
};

/** The settings of a dealer's site. */
export const vehiclePagesSettings = z
  .strictObject({
    ...commonSettings,
    kind: z.literal('vehicle-pages'),
    site: httpUrl.optional(),
    sitemap: httpUrl.optional(),
    pages: z.array(httpUrl).min(1).max(MAX_PAGES).optional(),
    include: patterns.optional(),
    exclude: patterns.default([]),
    maxPages: z.number().int().min(1).max(MAX_PAGES).default(500),
    everySeconds: z.number().int().min(600, 'must be at least 600').max(86_400).default(3600),
    place: z.string().trim().min(1).max(100).optional(),
  })
  .refine(
    ({ site, sitemap, pages }) => site !== undefined || sitemap !== undefined || pages !== undefined,
    'needs site, sitemap or pages',
  )
  .refine(({ site, sitemap }) => sitemap === undefined || ofOtherSites(site, [sitemap]).length === 0, {
    path: ['sitemap'],
    error: 'must be of the same site',
  })
  .refine(({ site, sitemap, pages = [] }) => ofOtherSites(site ?? sitemap ?? pages[0], pages).length === 0, {
    path: ['pages'],
    error: 'must all be of one site',
  });

export type VehiclePagesSettings = z.infer<typeof vehiclePagesSettings>;
