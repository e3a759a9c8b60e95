import { AppError } from '../base/errors.ts';
import type { ParsedRecord } from '../domain/facts/listing-facts.ts';
import { WebFetchError } from '../vendors/web-fetch-guard.ts';

/** The page can't be read, or not to its end; no listing is taken as absent because of it. */
export class UnreadablePage extends Error {}

/** Whether the source caused the error, and not LotWatch. */
export const isSourceFault = (error: unknown): error is WebFetchError | UnreadablePage =>
  error instanceof WebFetchError || error instanceof UnreadablePage;

/** What a reader of a source has thrown, as a fault of the source; what can't be read is one. @throws any other error */
export function asSourceFault(error: unknown): WebFetchError | UnreadablePage {
  if (isSourceFault(error)) return error;
  if (error instanceof AppError)
    return new UnreadablePage(`The source can't be read: ${error.message}`, { cause: error });
  throw error;
}

/** What the source asks for in seconds, also when records before the fault were read; null without it. */
export function retryAfterOf(error: Error): number | null {
  const fault = error instanceof UnreadablePage ? error.cause : error;
  return fault instanceof WebFetchError ? fault.retryAfterSeconds : null;
}

/** The external id of a record, also of a rejected one that has one. */
export const idOf = (record: ParsedRecord): string | null =>
  'facts' in record ? record.facts.externalId : record.rejection.externalId;
