import type { Pool } from '../base/database.ts';
import type { Encryption } from '../base/encryption.ts';
import { AppError } from '../base/errors.ts';
import type { ListingFacts, ParsedRecord, Rejection } from '../domain/facts/listing-facts.ts';
import { type KindBodySettings, type RecordPage, requestDeps } from './kinds/source-kind.ts';
import { kindOf, type SourceSettings } from './kinds/source-kinds.ts';
import { type OpenDeps, openBody } from './open-body.ts';
import { isSourceFault } from './source-page.ts';

export interface TryDeps extends OpenDeps {
  /** For what a kind stores itself, such as the calls it made of a quota. */
  pool: Pool;
  encryption: Encryption;
}

export interface TriedSource {
  /** The first cars, as they would be stored. */
  facts: ListingFacts[];
  /** The first records that would be rejected, with why. */
  rejections: Rejection[];
  /** How many records were read until there were enough of both. */
  read: number;
  /** Why the source can't be read, or not to the end of its page, in words; null when it can. */
  error: string | null;
}

const CARS = 5;
const REJECTIONS = 3;
/** A page without a car, or without a rejection, is read this far. */
const MAX_RECORDS = 1000;
const TIMEOUT_MS = 30_000;

async function* bodyPages(settings: SourceSettings, deps: TryDeps, kind: Parameters<typeof openBody>[0]) {
  const page = await openBody(kind, settings as KindBodySettings, deps, 0, null);
  if (page !== 'unchanged') yield page;
}

function pagesOf(settings: SourceSettings, deps: TryDeps): AsyncGenerator<RecordPage, unknown, undefined> {
  const kind = kindOf(settings.kind);
  if (kind.by === 'body') return bodyPages(settings, deps, kind);
  const source = { name: settings.name, settings, cursor: {}, firstReadDone: false };
  const nothingStored = { count: 0, fresh: 0, changed: 0, unchanged: 0 };
  const pages = kind.read(
    source,
    requestDeps(settings, deps, () => Promise.resolve()),
  );
  return (async function* () {
    try {
      for (let step = await pages.next(); !step.done; step = await pages.next(nothingStored)) yield step.value;
    } finally {
      await pages.return({ cursor: {}, complete: false });
    }
  })();
}

/** Takes a record. @returns whether there is enough to show */
function take(tried: TriedSource, record: ParsedRecord): boolean {
  tried.read++;
  if ('facts' in record && tried.facts.length < CARS) tried.facts.push(record.facts);
  if ('rejection' in record && tried.rejections.length < REJECTIONS) tried.rejections.push(record.rejection);
  const isEnough = tried.facts.length === CARS && tried.rejections.length === REJECTIONS;
  return isEnough || tried.read >= MAX_RECORDS;
}

/**
 * Reads the first page of a source that has records, and stores none of them: the first five cars as they are read, and
 * the first three records that would be rejected. It takes half a minute at most.
 * @param settings with their secrets, checked by `sourceSchema`
 */
export async function trySource(settings: SourceSettings, deps: TryDeps): Promise<TriedSource> {
  const tried: TriedSource = { facts: [], rejections: [], read: 0, error: null };
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([late, ...(deps.signal ? [deps.signal] : [])]);
  try {
    for await (const page of pagesOf(settings, { ...deps, signal })) {
      try {
        for await (const record of page.records()) if (take(tried, record)) break;
      } finally {
        await page.close();
      }
      if (tried.read > 0) break;
    }
    if (tried.read === 0) tried.error = 'The source can be read, but has no records.';
  } catch (error) {
    if (late.aborted) tried.error = `No whole page within ${TIMEOUT_MS / 1000} s.`;
    else if (isSourceFault(error)) tried.error = error.message;
    else if (error instanceof AppError) tried.error = `The source can't be read: ${error.message}`;
    else throw error;
  }
  return tried;
}
