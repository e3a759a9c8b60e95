import type { RejectCode } from '../../../domain/facts/listing-facts.ts';
import type { FeedRow } from '../feed-row.ts';

/** What a format's reader makes of one row: its columns, or why there are none; `record` is the text that came in. */
export type FeedEntry = { row: FeedRow } | { code: RejectCode; reason: string; record: string; id?: string };
