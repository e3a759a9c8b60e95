import { readFileBody, type SpooledBody } from '../vendors/bodies/spool.ts';
import type { FetchPage } from '../vendors/web-fetch.ts';
import type { WebFetchError } from '../vendors/web-fetch-guard.ts';
import { decodedText } from './decode-body.ts';
import type { BodySettings } from './kinds/common-settings.ts';
import type { SourceBody } from './source-body.ts';

const MAX_BYTES = 100 * 1024 * 1024;

export interface FetchDeps {
  fetchPage: FetchPage;
  /** How LotWatch introduces itself to sites that are read page by page. */
  userAgent?: string | undefined;
  /** Waits, unless the signal is aborted; tests pass their own. */
  wait?: ((ms: number) => Promise<void>) | undefined;
  /** Aborted at shutdown, or when the source is lost: the read stops between two batches, or while it fetches. */
  signal?: AbortSignal | undefined;
  /** The most of one address or file, unpacked; 100 MB by default. */
  maxBytes?: number;
}

export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

interface FetchedSource extends Validators {
  status: 'ok';
  body: SourceBody;
  /** The size after decompression. */
  bytes: number;
  /** Why the body is incomplete; reading its text throws this at the end. */
  fault: WebFetchError | null;
  close(): Promise<void>;
}

function asSource(
  spooled: SpooledBody,
  name: string,
  contentType: string | null,
  validators: Validators,
): FetchedSource {
  return {
    status: 'ok',
    ...validators,
    body: { text: () => decodedText(spooled.bytes(), contentType), contentType, name },
    bytes: spooled.size,
    fault: spooled.fault,
    close: () => spooled.close(),
  };
}

/** One page of a source of items. */
export interface ItemPage {
  offset: number;
  size: number;
  /** Items are only added at the end, also while they are read; a later one of the same id counts. */
  isAppended: boolean;
}

/**
 * Receives one page of a source, or the whole of a feed or file.
 * @param wanted null for what is not paged
 * @param known the validators of a conditional request
 * @throws WebFetchError when there is no body at all
 */
export async function fetchSource(
  settings: BodySettings,
  wanted: ItemPage | null,
  known: Validators | null,
  { fetchPage, signal, maxBytes = MAX_BYTES }: FetchDeps,
): Promise<FetchedSource | { status: 'unchanged' }> {
  if (settings.file !== undefined) {
    const options = { etag: known?.etag ?? null, maxBytes, mayGrow: wanted?.isAppended ?? false, signal };
    const file = await readFileBody(settings.file, options);
    if (file.status === 'unchanged') return file;
    return asSource(file.body, settings.file, null, { etag: file.etag, lastModified: null });
  }
  const url = new URL(settings.url ?? '');
  if (wanted !== null) {
    url.searchParams.set('offset', String(wanted.offset));
    url.searchParams.set('limit', String(wanted.size));
  }
  const page = await fetchPage({
    url: url.href,
    etag: known?.etag ?? null,
    lastModified: known?.lastModified ?? null,
    allowPrivateNetwork: settings.allowPrivateNetwork,
    maxBytes,
    signal,
    headers: settings.header ? { [settings.header.name]: settings.header.value } : {},
  });
  return page.status === 'unchanged' ? page : asSource(page.body, url.href, page.contentType, page);
}
