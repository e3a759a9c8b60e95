import { z } from 'zod';
import type { ItemPage } from '../fetch-source.ts';
import { bodySettings, hasOneAddress, ONE_ADDRESS } from '../kinds/common-settings.ts';

/** The settings of a stream of offers. */
export const marketplaceItemsSettings = z
  .strictObject({
    ...bodySettings,
    kind: z.literal('marketplace-items'),
    order: z.enum(['newest-first', 'any', 'append']).default('newest-first'),
    pageSize: z.number().int().min(1).max(1000).default(100),
  })
  .refine(hasOneAddress, ONE_ADDRESS);

export type MarketplaceItemsSettings = z.infer<typeof marketplaceItemsSettings>;

/** The page that begins at an offset. */
export const pageAt = ({ order, pageSize }: MarketplaceItemsSettings, offset: number): ItemPage => ({
  offset,
  size: pageSize,
  isAppended: order === 'append',
});
