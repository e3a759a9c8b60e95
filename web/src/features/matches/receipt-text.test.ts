import { expect, it } from 'vitest';
import { receiptText } from './receipt-text.ts';

/** A time of a day in the local time zone. */
const at = (time: string, day = '2026-11-21') => new Date(`${day}T${time}`).toISOString();
const now = new Date('2026-11-21T12:00:00');

it('shows when the car was listed and how long each step took', () => {
  const receipt = {
    listedAt: at('10:02:11'),
    seenAt: at('10:02:12.800'),
    matchedAt: at('10:02:13'),
    handedOverAt: at('10:02:14.900'),
  };
  expect(receiptText(receipt, now)).toBe('Listed 10:02:11 · seen +1.8 s · sent +2.1 s');
});

it('ends with the delivery once the provider has reported it', () => {
  const receipt = {
    listedAt: null,
    seenAt: at('10:02:12'),
    matchedAt: at('10:02:13'),
    handedOverAt: at('10:02:15'),
    deliveredAt: at('10:02:18'),
  };
  expect(receiptText(receipt, now)).toBe('Seen 10:02:12 · sent +3.0 s · delivered +3.0 s');
  // The report has whole seconds.
  expect(receiptText({ ...receipt, deliveredAt: at('10:02:14') }, now)).toContain('delivered +0.0 s');
});

it('says of a push message only that its service has accepted it', () => {
  const receipt = { seenAt: at('10:02:12'), matchedAt: at('10:02:13'), handedOverAt: at('10:02:15') };
  const accepted = { ...receipt, deliveredAt: at('10:02:15'), deliveredBy: 'push' };
  expect(receiptText(accepted, now)).toBe('Seen 10:02:12 · sent +3.0 s · accepted by the push service +0.0 s');
});

it('shows matched until it is sent', () => {
  const receipt = {
    listedAt: at('10:02:11'),
    seenAt: at('10:02:12.800'),
    matchedAt: at('10:02:12.904'),
    handedOverAt: null,
  };
  expect(receiptText(receipt, now)).toBe('Listed 10:02:11 · seen +1.8 s · matched +0.1 s');
});

it('begins with seen if the seller stated no time', () => {
  const receipt = { listedAt: null, seenAt: at('00:00:05'), matchedAt: at('00:00:05'), handedOverAt: at('00:05:05') };
  expect(receiptText(receipt, now)).toBe('Seen 00:00:05 · sent +5 min');
});

it('names the day of an older listing and long steps in their unit', () => {
  const receipt = {
    listedAt: at('23:59:59', '2026-11-18'),
    seenAt: at('03:00:00', '2026-11-19'),
    matchedAt: at('10:00:00'),
  };
  expect(receiptText(receipt, now)).toBe('Listed Nov 18, 23:59:59 · seen +3 h · matched +2 days');
});

it('never counts a step backwards', () => {
  const receipt = { listedAt: at('10:00:05'), seenAt: at('10:00:00'), matchedAt: at('10:00:00') };
  expect(receiptText(receipt, now)).toContain('seen +0.0 s');
});

it('never shows 60.0 s', () => {
  const receipt = { listedAt: null, seenAt: at('10:00:00'), matchedAt: at('10:00:59.990') };
  expect(receiptText(receipt, now)).toContain('matched +1 min');
});

it('says of a car that a backfill found that it was listed before', () => {
  const receipt = { listedAt: at('09:59:51'), seenAt: at('09:59:52'), matchedAt: at('10:02:13') };
  expect(receiptText(receipt, now, 'made')).toBe('Listed 09:59:51 · before you made this alert');
  expect(receiptText({ ...receipt, listedAt: null }, now, 'changed')).toBe(
    'Seen 09:59:52 · before you changed this alert',
  );
});
