import { AppError } from '../base/errors.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import { type FetchDeps, fetchSource, type ItemPage, type Validators } from './fetch-source.ts';
import type { BodyKind, KindBodySettings, RecordPage } from './kinds/source-kind.ts';
import { UnreadablePage } from './source-page.ts';

export interface OpenDeps extends FetchDeps {
  gazetteer: Gazetteer;
  now: () => Date;
}

export interface OpenedPage extends RecordPage {
  validators: Validators;
}

/**
 * Receives one page of a source, or a whole body where no page is wanted, and yields its records as they are read.
 * @throws WebFetchError, also from the records, after all complete ones
 */
export async function openBody(
  kind: BodyKind,
  settings: KindBodySettings,
  deps: OpenDeps,
  wanted: ItemPage | null,
  known: Validators | null,
): Promise<OpenedPage | 'unchanged'> {
  deps.signal?.throwIfAborted();
  const page = await fetchSource(settings, wanted, known, deps);
  if (page.status === 'unchanged') return 'unchanged';
  const seenAt = deps.now();
  const context = { gazetteer: deps.gazetteer, now: seenAt, laterWins: wanted?.isAppended ?? false };
  return {
    async *records() {
      try {
        yield* kind.records(page.body, context, settings);
      } catch (cause) {
        deps.signal?.throwIfAborted();
        // A truncated body is often malformed too; the truncation is the cause to report.
        if (page.fault) throw page.fault;
        if (!(cause instanceof AppError)) throw cause;
        throw new UnreadablePage(`The page can't be read: ${cause.message}`, { cause });
      }
      if (page.fault) throw page.fault;
    },
    bytes: page.bytes,
    seenAt,
    validators: page,
    close: () => page.close(),
  };
}
