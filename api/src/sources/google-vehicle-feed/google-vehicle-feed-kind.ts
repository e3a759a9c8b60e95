import { z } from 'zod';
import { bodySettings, hasOneAddress, ONE_ADDRESS } from '../kinds/common-settings.ts';
import { sourceKind } from '../kinds/source-kind.ts';
import { readGoogleFeed } from './read-google-feed.ts';

const MAX_STORES = 5000;

const stores = z
  .record(z.string().min(1).max(64), z.string().min(2).max(100))
  .refine((places) => Object.keys(places).length <= MAX_STORES, `has more than ${MAX_STORES} stores`);

/** A feed of Google's vehicle ads or vehicle listings: the complete stock of one or several dealers as one file. */
export const googleVehicleFeed = sourceKind({
  kind: 'google-vehicle-feed',
  settings: z
    .strictObject({ ...bodySettings, kind: z.literal('google-vehicle-feed'), stores: stores.default({}) })
    .refine(hasOneAddress, ONE_ADDRESS),
  secrets: ['header.value'],
  // With other places, a feed that has not changed since must be read again.
  restartsRead: ['url', 'file', 'stores'],
  makesFirstRead: ['url', 'file'],
  by: 'body',
  records: (body, context, settings) => readGoogleFeed(body, context, settings.stores),
});
