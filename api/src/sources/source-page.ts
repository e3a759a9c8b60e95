import type { ParsedRecord } from '../domain/facts/listing-facts.ts';
import { WebFetchError } from '../vendors/web-fetch-guard.ts';

/** The page can't be read, or not to its end; no listing is taken as absent because of it. */
export class UnreadablePage extends Error {}

/** Whether the source caused the error, and not LotWatch. */
export const isSourceFault = (error: unknown): error is WebFetchError | UnreadablePage =>
  error instanceof WebFetchError || error instanceof UnreadablePage;

/** The external id of a record, also of a rejected one that has one. */
export const idOf = (record: ParsedRecord): string | null =>
  'facts' in record ? record.facts.externalId : record.rejection.externalId;
