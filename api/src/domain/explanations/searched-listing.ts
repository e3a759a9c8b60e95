import { storableText } from '../facts/listing-facts.ts';

/** The longest text by which a listing is searched. */
export const MAX_SEARCHED = 500;
const MAX_IDS = 40;
const MAX_WORDS = 12;
/** A shorter number in an address is a page, a year or a price. */
const MIN_NUMBER = 6;

/** What a text says of the listing that somebody looks for. */
export interface SearchedListing {
  /** LotWatch's own number. */
  id: number | null;
  /** What may be the id at its source. */
  externalIds: string[];
  /** As listings have it; null where the text is no address. */
  url: string | null;
  /** Of the address, without its "www."; null where the text is no address. */
  host: string | null;
  /** As typed; null where the text is an address or a number. */
  title: string | null;
  /** In lower case. Empty where the text is an address or names a number with "#". */
  titleWords: string[];
}

/** The host of an address without "www." and the like; null for what is no address. */
export function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^(www|m|web|mobile)\./, '') : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whatever in an address may be the id: segments of its path, values of its query, and long numbers in both. */
function idsIn(url: URL): string[] {
  const parts = [...url.pathname.split('/'), ...url.searchParams.values(), ...url.hash.slice(1).split('/')]
    .map((part) => storableText(decoded(part)).replace(/\.(html?|php|aspx)$/i, ''))
    .filter((part) => part.length > 0 && part.length <= 200);
  const numbers = parts.flatMap((part) => part.match(/\d+/g) ?? []).filter(({ length }) => length >= MIN_NUMBER);
  return [...new Set([...parts.reverse(), ...numbers])].slice(0, MAX_IDS);
}

/** An address may lack its "https://", as browsers show it. */
function readAddress(text: string): URL | null {
  if (/\s/.test(text)) return null;
  const full = /^https?:\/\//i.test(text) ? text : /^[\w-]+(\.[\w-]+)+\//.test(text) ? `https://${text}` : null;
  return full !== null && URL.canParse(full) ? new URL(full) : null;
}

/** Reads the address, number, id at its source, or title of a listing. @param text trimmed, of at most 500 characters */
export function readSearchedListing(text: string): SearchedListing {
  const own = /^#([1-9]\d{0,14})$/.exec(text)?.[1];
  const none = { id: null, externalIds: [], url: null, host: null, title: null, titleWords: [] };
  if (own !== undefined) return { ...none, id: Number(own) };
  const url = readAddress(text);
  if (url) return { ...none, externalIds: idsIn(url), url: url.href, host: hostOf(url.href) };
  const title = storableText(text);
  return {
    ...none,
    id: /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null,
    externalIds: text.length <= 200 ? [title] : [],
    title: /^(\d+$|https?:)/i.test(text) ? null : title,
    titleWords: title.toLowerCase().split(/\s+/).slice(0, MAX_WORDS),
  };
}
