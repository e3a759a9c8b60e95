import { conjoined } from '../plain-words.ts';

/** Times of day as '22:00', in the buyer's time zone. `from` equal to `to` lasts a whole day. */
export interface QuietHours {
  from: string;
  to: string;
  /** The days on which they begin; 0 is Sunday. */
  days: readonly number[];
}

/** What an alert's owner chooses about its messages. */
export interface DeliveryChoice {
  delivery: 'instant' | 'daily';
  /** 0 to 23, in the buyer's time zone. */
  digestHour: number;
  quietHours: QuietHours | null;
  maxMailsPerDay: number | null;
  priceDrops: boolean;
  emailNotifications: boolean;
  textNotifications: boolean;
  pushNotifications: boolean;
}

export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** '08:00' */
export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

function daysText(days: readonly number[]): string {
  if (days.length === 7) return '';
  // Weeks are read from Monday on.
  const ordered = [...days].sort((one, other) => ((one + 6) % 7) - ((other + 6) % 7));
  if (ordered.join() === '1,2,3,4,5') return ' from Monday to Friday';
  if (ordered.join() === '6,0') return ' on weekends';
  return ` on ${conjoined(ordered.map((day) => weekdays[day] ?? ''))}`;
}

function quietText({ from, to, days }: QuietHours): string {
  return from === to && from === '00:00'
    ? `, never${daysText(days)}`
    : `, never between ${from} and ${to}${daysText(days)}`;
}

/** What will happen, in one sentence, such as 'At once by mail, never between 22:00 and 07:00.' */
export function deliveryWords(choice: DeliveryChoice): string {
  const { delivery, digestHour, quietHours, maxMailsPerDay, priceDrops } = choice;
  const ways = [
    choice.emailNotifications ? 'mail' : null,
    choice.textNotifications ? 'text message' : null,
    choice.pushNotifications ? 'push notification' : null,
  ];
  const on = ways.filter((way) => way !== null);
  if (on.length === 0) return 'No messages. New matches appear on the page of the alert.';
  const when = delivery === 'daily' ? `Once a day at ${hourText(digestHour)}` : 'At once';
  const limit =
    delivery === 'instant' && maxMailsPerDay !== null && choice.emailNotifications
      ? `, at most ${maxMailsPerDay === 1 ? '1 mail' : `${maxMailsPerDay} mails`} a day and the rest at ${hourText(digestHour)}`
      : '';
  const drops = priceDrops ? '' : ', without price drops';
  return `${when} by ${conjoined(on)}${drops}${quietHours === null ? '' : quietText(quietHours)}${limit}.`;
}
