/** The longest text that a wish or a question about a listing takes. */
export const MAX_SHARED = 500;
const MAX_READ = 5_000;

/**
 * What another app shared: the first web address in it, as apps put it into any of the three fields, else its words.
 * It is only text: anybody can link to the page with anything.
 */
export function sharedText(params: { get(name: string): string | null }): string {
  const all = ['url', 'text', 'title'].map((name) => (params.get(name) ?? '').slice(0, MAX_READ).trim());
  const words = all.join(' ').split(/\s+/);
  const address = words.find((word) => /^https?:\/\/./i.test(word) && word.length <= MAX_SHARED);
  return address ?? (all.find((text) => text !== '') ?? '').replace(/\s+/g, ' ').slice(0, MAX_SHARED);
}
