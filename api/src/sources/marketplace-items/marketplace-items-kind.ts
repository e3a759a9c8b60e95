import { z } from 'zod';
import { bodySettings, hasOneAddress, ONE_ADDRESS } from '../kinds/common-settings.ts';
import { sourceKind } from '../kinds/source-kind.ts';
import { readMarketplaceItems } from './read-marketplace-items.ts';

/** A stream of offers, in pages or in one file. */
export const marketplaceItems = sourceKind({
  kind: 'marketplace-items',
  settings: z
    .strictObject({ ...bodySettings, kind: z.literal('marketplace-items') })
    .refine(hasOneAddress, ONE_ADDRESS),
  secrets: ['header.value'],
  restartsRead: ['url', 'file', 'order'],
  makesFirstRead: ['url', 'file'],
  by: 'body',
  records: readMarketplaceItems,
});
