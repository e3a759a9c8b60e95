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
  const stored = decryptSecrets(deps.encryption, source);
  // The operator's consent is asked at each read, as it may have been withdrawn since the source was added.
  const mayReadPrivate = source.origin === 'settings' || deps.allowsPrivateNetwork;
  const settings = { ...stored, allowPrivateNetwork: stored.allowPrivateNetwork && mayReadPrivate };
  return kind.by === 'body'
    ? readBody(kind, { ...source, settings: settings as KindBodySettings }, deps)
    : readRequests(kind, { ...source, settings }, deps);
}
