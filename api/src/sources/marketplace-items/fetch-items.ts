import { readFile, stat } from 'node:fs/promises';
import type { FetchPage } from '../../vendors/web-fetch.ts';
import { WebFetchError } from '../../vendors/web-fetch-error.ts';
import type { ClaimedSource } from '../claim-source.ts';
import { decodedText } from '../decode-body.ts';

const MAX_FILE_BYTES = 100 * 1024 * 1024;

export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export type ItemsPage =
  | { status: 'ok'; text: string; etag: string | null; lastModified: string | null }
  | { status: 'unchanged' };

async function readItemsFile(path: string, known: Validators | null): Promise<ItemsPage> {
  try {
    const { size, mtimeMs } = await stat(path);
    const etag = `${size}-${mtimeMs}`;
    if (known?.etag === etag) return { status: 'unchanged' };
    if (size > MAX_FILE_BYTES) throw new WebFetchError('TOO_LARGE', 'The file is larger than 100 MB.');
    return { status: 'ok', text: await readFile(path, 'utf8'), etag, lastModified: null };
  } catch (cause) {
    if (cause instanceof WebFetchError) throw cause;
    throw new WebFetchError('UNREACHABLE', `The file can't be read (${cause instanceof Error ? cause.message : ''}).`, {
      cause,
    });
  }
}

/**
 * Reads one page of marketplace items, or the whole file. @param known what a conditional request compares with
 * @throws WebFetchError
 */
export async function fetchItems(
  settings: ClaimedSource['settings'],
  offset: number,
  known: Validators | null,
  fetchPage: FetchPage,
  signal?: AbortSignal,
): Promise<ItemsPage> {
  if (settings.file !== undefined) return readItemsFile(settings.file, known);
  const url = new URL(settings.url ?? '');
  url.searchParams.set('offset', String(offset));
  url.searchParams.set('limit', String(settings.pageSize));
  const page = await fetchPage({
    url: url.href,
    etag: known?.etag ?? null,
    lastModified: known?.lastModified ?? null,
    allowPrivateNetwork: settings.allowPrivateNetwork,
    signal,
    ...(settings.header && { headers: { [settings.header.name]: settings.header.value } }),
  });
  if (page.status === 'unchanged') return page;
  let text = '';
  for await (const part of decodedText(page.body.bytes(), page.contentType)) text += part;
  return { status: 'ok', text, etag: page.etag, lastModified: page.lastModified };
}
