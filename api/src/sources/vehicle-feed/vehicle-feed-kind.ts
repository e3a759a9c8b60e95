import { z } from 'zod';
import { bodySettings, hasOneAddress, ONE_ADDRESS } from '../kinds/common-settings.ts';
import { sourceKind } from '../kinds/source-kind.ts';
import { readVehicleFeed } from './read-feed.ts';

/** The complete stock of a dealer as one file. */
export const vehicleFeed = sourceKind({
  kind: 'vehicle-feed',
  settings: z.strictObject({ ...bodySettings, kind: z.literal('vehicle-feed') }).refine(hasOneAddress, ONE_ADDRESS),
  secrets: ['header.value'],
  restartsRead: ['url', 'file'],
  makesFirstRead: ['url', 'file'],
  by: 'body',
  records: readVehicleFeed,
});
