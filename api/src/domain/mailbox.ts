import { domainToASCII } from 'node:url';
import { trimEnd } from '../base/trim-end.ts';

/** Domains of providers that ignore dots before the @, with their main domain. */
const dotless: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' };

/**
 * One key for all addresses of a mailbox: lower case, without a tag after a plus, with the domain in ASCII. Used only for
 * counting mails. Which account an address belongs to is decided by the address itself.
 */
export function mailboxOf(address: string): string {
  const text = address.trim().normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  if (at < 1) return text;
  const written = trimEnd(text.slice(at + 1), '.');
  const domain = domainToASCII(written) || written;
  const name = text.slice(0, at);
  const untagged = name.split('+')[0] || name;
  const main = Object.hasOwn(dotless, domain) ? dotless[domain] : undefined;
  return main === undefined ? `${untagged}@${domain}` : `${untagged.replaceAll('.', '') || untagged}@${main}`;
}
