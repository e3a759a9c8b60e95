import { expect, it } from 'vitest';
import { type DeliveryChoice, deliveryWords } from './delivery.ts';

const choice: DeliveryChoice = {
  delivery: 'instant',
  digestHour: 8,
  quietHours: null,
  maxMailsPerDay: null,
  priceDrops: true,
  emailNotifications: true,
  textNotifications: false,
  pushNotifications: false,
};
const night = { from: '22:00', to: '07:00', days: [0, 1, 2, 3, 4, 5, 6] };

it.each<[string, Partial<DeliveryChoice>]>([
  ['At once by mail.', {}],
  ['At once by mail, never between 22:00 and 07:00.', { quietHours: night }],
  [
    'At once by mail, never between 22:00 and 07:00 from Monday to Friday.',
    { quietHours: { ...night, days: [1, 2, 3, 4, 5] } },
  ],
  ['At once by mail, never on weekends.', { quietHours: { from: '00:00', to: '00:00', days: [0, 6] } }],
  ['At once by mail, never between 22:00 and 07:00 on Friday and Sunday.', { quietHours: { ...night, days: [0, 5] } }],
  ['Once a day at 08:00 by mail and text message.', { delivery: 'daily', textNotifications: true }],
  [
    'At once by mail, without price drops, at most 1 mail a day and the rest at 18:00.',
    { priceDrops: false, maxMailsPerDay: 1, digestHour: 18 },
  ],
  ['At once by push notification.', { emailNotifications: false, pushNotifications: true }],
  ['At once by mail, text message, and push notification.', { textNotifications: true, pushNotifications: true }],
  ['No messages. New matches appear on the page of the alert.', { emailNotifications: false }],
])('%s', (words, some) => {
  expect(deliveryWords({ ...choice, ...some })).toBe(words);
});
