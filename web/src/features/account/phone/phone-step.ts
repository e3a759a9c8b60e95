import type { PhoneTexts_UserFragment } from '../../../gql/graphql.ts';

export type PhoneStep = 'unavailable' | 'free' | 'no-phone' | 'unconfirmed' | 'code' | 'stopped' | 'confirmed';

/** How far a user has set up text messages. */
export function phoneStep({ phone, phoneConfirmed, texts }: PhoneTexts_UserFragment, now: Date): PhoneStep {
  if (!texts.available) return 'unavailable';
  if (texts.monthlyLimit === 0) return 'free';
  if (!phone) return 'no-phone';
  if (phoneConfirmed) return texts.stopped ? 'stopped' : 'confirmed';
  const waits = texts.codeExpiresAt != null && Date.parse(texts.codeExpiresAt) > now.getTime();
  return waits ? 'code' : 'unconfirmed';
}

interface Account {
  id: string;
  phone: string | null;
  phoneConfirmed: boolean;
  subscription: { planId: string };
}

/** The most likely state of a user's texts while it loads: available, not stopped, no code sent. */
export function likelyTexts(account: Account): PhoneTexts_UserFragment {
  const monthlyLimit = Number(account.subscription.planId) > 1 ? 100 : 0;
  return {
    ...account,
    texts: { available: true, stopped: false, codeExpiresAt: null, usedThisMonth: 0, monthlyLimit, from: null },
  };
}

const nanp = /^\+1(\d{3})(\d{3})(\d{4})$/;

/** '+15125550123' as '(512) 555-0123'; any other number as it is. */
export function phoneText(phone: string): string {
  const [, area, exchange, line] = nanp.exec(phone) ?? [];
  return area ? `(${area}) ${exchange}-${line}` : phone;
}

/** The first of next month, where the month is UTC's: 'December 1'. */
export function nextMonthText(now: Date): string {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(first);
}
