import { cookieConsent, PLAYGROUND_KEYS } from '../lib/state/cookie-consent.ts';

/** Words that mark an operation or variables as possibly secret. */
const SECRET = /password|token|secret|bearer/i;

interface Kept {
  query?: string | null;
  variables?: string | null;
  headers?: string | null;
}

const isHarmless = ({ query, variables }: Kept): boolean => !SECRET.test(`${query ?? ''} ${variables ?? ''}`);

/** GraphiQL's lists, by the last part of their key. */
const LISTS: Record<string, string> = { queries: 'queries', favorites: 'favorites', tabState: 'tabs' };

/**
 * The part of GraphiQL's data that may be stored: no headers, which may hold API keys, and nothing about passwords or tokens.
 * @param value a list of operations as JSON, the text of an editor, or a size
 */
export function withoutSecrets(key: string, value: string): string {
  const name = LISTS[key.split(':').at(-1) ?? ''];
  if (name === undefined) return SECRET.test(value) ? '' : value;
  const read = JSON.parse(value) as Record<string, Kept[]>;
  const kept = (read[name] ?? []).filter(isHarmless).map((one) => ({ ...one, headers: null }));
  return JSON.stringify({ ...read, [name]: kept });
}

/**
 * The storage for GraphiQL's tabs, history and sizes: on this machine if preferences are allowed, else for the visit.
 * @param owner the user, so that users of a shared machine can't read each other's data
 */
export function makeStorage(owner: string) {
  const store = openStore();
  const prefix = `${PLAYGROUND_KEYS}${owner}:`;
  const keys = () => Object.keys(store).filter((key) => key.startsWith(prefix));
  return {
    getItem: (key: string): string | null => store.getItem(prefix + key),
    setItem: (key: string, value: string): void => store.setItem(prefix + key, withoutSecrets(key, value)),
    removeItem: (key: string): void => store.removeItem(prefix + key),
    get length(): number {
      return keys().length;
    },
    clear(): void {
      for (const key of keys()) store.removeItem(key);
    },
  };
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The storage; where it is forbidden, one that stores nothing. */
function openStore(): Store {
  try {
    return cookieConsent.get()?.preferences === true ? localStorage : sessionStorage;
  } catch {
    return { getItem: () => null, setItem() {}, removeItem() {} };
  }
}
