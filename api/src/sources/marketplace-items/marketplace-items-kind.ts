import { sourceKind } from '../kinds/source-kind.ts';
import { marketplaceItemsSettings } from './marketplace-items-settings.ts';
import { readMarketplaceItems } from './read-marketplace-items.ts';

/** A stream of offers, in pages or in one file. */
export const marketplaceItems = sourceKind({
  kind: 'marketplace-items',
  settings: marketplaceItemsSettings,
  secrets: ['header.value'],
  restartsRead: ['url', 'file', 'order'],
  makesFirstRead: ['url', 'file'],
  by: 'body',
  records: readMarketplaceItems,
});
