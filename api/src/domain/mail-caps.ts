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

/** How many mails a mailbox gets on one day (UTC), whoever asks for them and from wherever. */
interface MailCap {
  /** Of this kind. */
  ofKind: number;
  /** It leaves while fewer mails of all counted kinds have left; null where it is counted by itself alone. */
  ofAll: number | null;
}

/** Strangers bring these about, for any address. */
const OF_STRANGERS = 20;
/** The account's owner does, or somebody who got into the account: strangers must not use up their room. */
const OF_OWNERS = 40;
/** What takes an account back: nothing else that is counted may keep it from leaving. */
const OF_RESCUES = 65;

/** By what a mail is counted: its kind, but a reset that follows an undo apart from those that anybody can ask for. */
export const mailCaps = {
  confirm: { ofKind: 10, ofAll: OF_STRANGERS },
  address_taken: { ofKind: 5, ofAll: OF_STRANGERS },
  reset: { ofKind: 10, ofAll: OF_STRANGERS },
  // Samples must leave room for a reset.
  test: { ofKind: 10, ofAll: 10 },
  new_device: { ofKind: 10, ofAll: OF_OWNERS },
  key_changed: { ofKind: 20, ofAll: OF_OWNERS },
  webhook_changed: { ofKind: 20, ofAll: OF_OWNERS },
  webhook_paused: { ofKind: 10, ofAll: OF_OWNERS },
  text_cap: { ofKind: 5, ofAll: OF_OWNERS },
  plan_changed: { ofKind: 10, ofAll: OF_OWNERS },
  plan_ending: { ofKind: 10, ofAll: OF_OWNERS },
  payment_failed: { ofKind: 5, ofAll: OF_OWNERS },
  grace_ending: { ofKind: 5, ofAll: OF_OWNERS },
  address_change: { ofKind: 5, ofAll: OF_RESCUES },
  address_changed: { ofKind: 5, ofAll: OF_RESCUES },
  password_changed: { ofKind: 5, ofAll: OF_RESCUES },
  second_factor_changed: { ofKind: 5, ofAll: OF_RESCUES },
  rescue: { ofKind: 5, ofAll: OF_RESCUES },
  // All of them go to those who run LotWatch, who read what is not mailed in the database.
  contact: { ofKind: 200, ofAll: null },
} as const satisfies Readonly<Record<string, MailCap>>;

export type CountedKind = keyof typeof mailCaps;

/**
 * Mails that nobody can ask for: those of alerts, of which each brings about a few at a pace of its own, and the one to
 * whoever was not here for 24 months.
 */
export const uncountedKinds = ['match', 'reminder', 'expired', 'idle_account'] as const;
