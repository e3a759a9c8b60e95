import { domainToASCII } from 'node:url';
import { trimEnd } from '../base/trim-end.ts';

/** Providers whose addresses are one whatever dots stand before the @, and their names. */
const dotless: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' };

/**
 * What addresses have in common that come to one mailbox: no case, no tag after a plus, one spelling of the domain. For
 * counting only: whose an address is, is decided by the address itself.
 */
export function mailboxOf(address: string): string {
  const text = address.trim().normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  if (at < 1) return text;
  const spelt = trimEnd(text.slice(at + 1), '.');
  const domain = domainToASCII(spelt) || spelt;
  const name = text.slice(0, at);
  const untagged = name.split('+')[0] || name;
  const home = Object.hasOwn(dotless, domain) ? dotless[domain] : undefined;
  return home === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '') || untagged}@${home}`;
}
