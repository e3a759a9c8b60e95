import { plural } from '../../../lib/text/time.ts';

/** Below this a car that was listed once is as new as its age badge says. */
const LONG_DAYS = 14;

interface OnMarket {
  daysOnMarket: number;
  relists: number;
  status: 'for_sale' | 'pending' | 'sold' | 'gone';
}

/** `On the market 60 days · listed 3 times`; null for a car that was listed once and not long ago. */
export function marketText({ daysOnMarket, relists, status }: OnMarket): string | null {
  if (daysOnMarket < LONG_DAYS && relists === 0) return null;
  const isThere = status === 'for_sale' || status === 'pending';
  const days = daysOnMarket === 0 ? 'since today' : plural(daysOnMarket, 'day');
  const time = isThere ? `On the market ${days}` : `Was on the market ${plural(daysOnMarket, 'day')}`;
  return relists === 0 ? time : `${time} · listed ${relists + 1} times`;
}
