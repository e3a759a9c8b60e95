import { z } from 'zod';
import { ebay } from '../ebay/read-ebay.ts';
import { googleVehicleFeed } from '../google-vehicle-feed/google-vehicle-feed-kind.ts';
import { jsonFeed } from '../json-feed/json-feed-kind.ts';
import { marketplaceItems } from '../marketplace-items/marketplace-items-kind.ts';
import { vehicleFeed } from '../vehicle-feed/vehicle-feed-kind.ts';
import { vehiclePages } from '../vehicle-pages/vehicle-pages-kind.ts';
import type { AnyKind } from './source-kind.ts';

/** Every kind of source that is read. A new one is a room beside, and a row here. */
const kinds = [marketplaceItems, vehicleFeed, googleVehicleFeed, jsonFeed, ebay, vehiclePages] as const;

/** The settings of one source, with its secrets. */
export type SourceSettings = z.infer<(typeof kinds)[number]['settings']>;
export type SourceKind = SourceSettings['kind'];

/** The settings of one source of any kind; they have defaults, and fields that are not known are refused. */
export const sourceSchema = z.discriminatedUnion(
  'kind',
  kinds.map(({ settings }) => settings) as never,
) as unknown as z.ZodType<SourceSettings>;

const byName = new Map<string, AnyKind>(kinds.map((kind) => [kind.kind, kind as AnyKind]));

/** The names of the kinds that this version reads; a source of another kind is left to the version that wrote it. */
export const kindNames: readonly SourceKind[] = kinds.map(({ kind }) => kind);

/** @throws Error for a kind that is not known; `kindNames` keeps such sources from being claimed */
export function kindOf(name: string): AnyKind {
  const kind = byName.get(name);
  if (!kind) throw new Error(`There is no kind of source ${name}.`);
  return kind;
}
