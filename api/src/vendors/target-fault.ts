import { setTimeout as sleep } from 'node:timers/promises';
import { readTarget } from './post-guarded.ts';
import { checkedAddresses, type Resolve, resolveByDns, WebFetchError } from './web-fetch-guard.ts';

/** The addresses of users that messages may be posted to. */
export interface PostTargets {
  /** Allows addresses of private networks, for trials; never in production. */
  allowPrivateNetwork: boolean;
  /** Allows http beside https; never in production. */
  allowHttp: boolean;
  resolve?: Resolve;
}

/** A silent name server does not make an address invalid: it is checked again at each delivery. */
const RESOLVE_MS = 2_000;

/** Why messages can't be posted to an address, as a sentence; null where they can. */
export async function targetFault(
  text: string,
  { allowPrivateNetwork, allowHttp, resolve }: PostTargets,
): Promise<string | null> {
  // URL parsers drop these characters, so that the shown address would mislead.
  if (/[\s\p{C}]/u.test(text)) return 'The address can not be read.';
  try {
    const url = readTarget(text, allowHttp);
    const checked = checkedAddresses(url, { allowPrivateNetwork, resolve: resolve ?? resolveByDns });
    checked.catch(() => {});
    await Promise.race([checked, sleep(RESOLVE_MS, undefined, { ref: false })]);
  } catch (error) {
    if (!(error instanceof WebFetchError)) throw error;
    if (error.code === 'BAD_URL') return error.message;
    if (error.code === 'PRIVATE_ADDRESS') return 'The address leads into a private network';
  }
  return null;
}
