import type { ClaimedSource } from '../../sources/claim-source.ts';
import type { KindBodySettings } from '../../sources/kinds/source-kind.ts';
import { kindOf } from '../../sources/kinds/source-kinds.ts';
import type { PollPause, PollSuccess } from '../../sources/record-poll.ts';
import { decryptSecrets } from '../../sources/source-secrets.ts';
import { readBody } from './read-body.ts';
import { readRequests } from './read-requests.ts';
import type { ReadDeps } from './store-records.ts';

/** Reads a claimed source as its kind and settings say. @throws WebFetchError, UnreadablePage, LeaseLost */
export async function readSource(source: ClaimedSource, deps: ReadDeps): Promise<PollSuccess | PollPause> {
  const kind = kindOf(source.kind);
  const settings = decryptSecrets(deps.encryption, source);
  return kind.by === 'body'
    ? readBody(kind, { ...source, settings: settings as KindBodySettings }, deps)
    : readRequests(kind, { ...source, settings }, deps);
}
