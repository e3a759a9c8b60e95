import type { Page } from 'playwright-core';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import { createAlert, type Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const page = { path: '/notifications', texts: [] } as const;

/** A delivered, a returned and a refused mail, an unknown text, what quiet hours hold, and what was dropped. */
async function withAll(_page: Page, { pool }: Fixtures, me: Person): Promise<void> {
  const alertId = await createAlert(me, { make: 'honda', model: 's2000', location: 'Miami, FL', radius: 50 });
  const of = [alertId, (await pool.query('select user_id as id from alerts where id = $1', [alertId])).rows[0].id];
  const { rows: mails } = await pool.query<{ id: string; status: string; kind: string }>(
    `insert into mails (id, kind, user_id, alert_id, to_address, status, created_at, sent_at, delivered_at, error, delivery_error)
     select gen_random_uuid(), kind, $2::int8, $1::int8, 'x@example.com', status, now() - age,
            case when status = 'sent' then now() - age end,
            case when status = 'sent' and returned is null then now() end, 'refused', returned
       from (values ('match', 'sent', interval '1 minute', null), ('digest', 'failed', interval '2 days', null),
                    ('summary', 'sent', interval '3 days', '550 no such user')) v (kind, status, age, returned)
     returning id, status, kind`,
    of,
  );
  const { rows: texts } = await pool.query<{ id: string }>(
    `insert into texts (id, kind, user_id, alert_id, to_phone, status)
     values (gen_random_uuid(), 'match', $2, $1, '+15125550123', 'unknown') returning id`,
    of,
  );
  await pool.query("update users set notifications_read_at = now() - interval '1 hour' where id = $1", of.slice(1));
  const notify = (
    channel: string,
    status: string,
    row: { mail?: string; text?: string; due?: string; heldBy?: string },
  ) =>
    pool.query(
      `insert into notifications (alert_id, user_id, listing_id, channel, status, mail_id, text_id, due_at, held_by)
       select $1::int8, $2::int8, min(id), $3, $4, $5::uuid, $6::uuid, now() + $7::interval, $8 from listings`,
      [...of, channel, status, row.mail, row.text, row.due ?? '0', row.heldBy],
    );
  for (const { id, status, kind } of mails)
    await notify('email', status, { mail: id, ...(kind === 'summary' && { heldBy: 'quiet_hours' }) });
  await notify('sms', 'unknown', { text: texts[0]?.id ?? '' });
  await notify('email', 'waiting', { due: '2 hours', heldBy: 'quiet_hours' });
  await notify('email', 'dropped', {});
}

export const notificationsStates: readonly State[] = [
  {
    ...page,
    name: 'notifications/filled',
    who: 'new',
    sizes: ['phone', 'desktop'],
    also: [
      'Notifications',
      'Waiting',
      /^Waits until .*: quiet hours\./,
      /^Sent by mail .* It arrived at /,
      /^Sent by mail on .*, after quiet hours\. The provider reports that it did not arrive\.$/,
      'Not delivered',
      'Not sent: the mail was refused.',
      /^It is not known/,
      'Not sent',
      'Alert for Honda S2000',
      'New',
      '3 new notifications',
      'Mark all as read',
      'Send again: 1 new match',
    ],
    prepare: withAll,
  },
  {
    ...page,
    name: 'notifications/at-the-bell',
    isLong: true,
    path: '/dashboard',
    who: 'new',
    sizes: ['phone', 'desktop'],
    also: ['Notifications, 3 unread'],
    prepare: withAll,
  },
  {
    ...page,
    name: 'notifications/twice-asked',
    who: 'new',
    also: ['Send it again?', /^This text message may have arrived already/],
    prepare: withAll,
    act: (page) => page.getByRole('listitem').filter({ hasText: 'Unknown' }).getByRole('button').click(),
  },
  { ...page, name: 'notifications/empty', who: 'empty', also: ['No Notifications Yet', 'My Alerts'] },
  {
    ...page,
    name: 'notifications/loading',
    isLong: true,
    who: 'user',
    sizes: ['desktop'],
    also: ['Loading your notifications'],
    prepare: (page) => holding(page, 'Notifications'),
  },
  {
    ...page,
    name: 'notifications/failed',
    isLong: true,
    who: 'user',
    sizes: ['phone'],
    also: ['Your notifications could not be loaded'],
    prepare: (page) => failing(page, 'Notifications', INTERNAL_ERROR),
  },
];
