import { channels } from '../base/channels.ts';
import { type Client, inTransaction, type Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { textsNeedPlan } from '../domain/forms/plan-refusals.ts';
import { canUpgrade, isPaidPlan } from '../domain/plan-list.ts';
import { monthlyTexts } from '../domain/text-limits.ts';
import type { MatchChannelName } from '../entities/delivery-channels.ts';
import { carMails, countedTexts, mayBeTexted } from '../entities/notification-rules.ts';
import type { OwnedRow } from '../entities/owned-rows.ts';
import { readWaiting, type WaitingMessage } from './read-waiting.ts';

interface SentMessage {
  channel: MatchChannelName;
  status: string;
  /** null: it was deleted. */
  alertId: number | null;
}

interface Resend {
  userId: number;
  /** The id of a mail, text or push message about cars. */
  id: string;
  /** Whether a text that may have arrived is sent again. */
  evenIfTwice: boolean;
}

const isUuid = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);

const refuse = (message: string): AppError => new AppError('CONFLICT', message);

async function findMessage(client: Client, { userId, id }: Resend): Promise<SentMessage> {
  const { rows } = isUuid(id)
    ? await client.query<SentMessage>({
        name: 'resend-find',
        text: `select 'email' as channel, m.status, a.id as "alertId"
                 from mails m left join alerts a on a.id = m.alert_id and a.user_id = m.user_id
                where m.id = $1 and m.kind in (${carMails}) and m.user_id = $2
               union all
               select 'sms', t.status, a.id from texts t
                 left join alerts a on a.id = t.alert_id and a.user_id = t.user_id
                where t.id = $1 and t.kind <> 'code' and t.user_id = $2
               union all
               select 'push', case when p.sent_at is null then p.status else 'sent' end, a.id
                 from pushes p left join alerts a on a.id = p.alert_id and a.user_id = p.user_id
                where p.id = $1 and p.user_id = $2`,
        values: [id, userId],
      })
    : { rows: [] };
  const [message] = rows;
  if (!message) throw new AppError('NOT_FOUND', 'Notification not found');
  return message;
}

interface OwnerRow {
  isWatching: boolean;
  mails: boolean;
  texts: boolean;
  pushes: boolean;
  hasDevice: boolean;
  email: string | null;
  isConfirmed: boolean;
  mayBeTexted: boolean;
  planId: number;
  textsUsed: number;
}

/** Locks the alert, so that its rules stay and a second call waits, and then reads what decides about its messages. */
async function lockAlert(client: Client, alertId: number, userId: number): Promise<OwnerRow> {
  const key = [alertId, userId];
  await client.query('select from alerts where id = $1 and user_id = $2 for no key update', key);
  const { rows } = await client.query<OwnerRow>({
    name: 'resend-owner',
    text: `select a.is_active and a.expires_at > now() as "isWatching", a.email_notifications as mails,
                  a.text_notifications as texts, a.push_notifications as pushes,
                  exists (select from push_subscriptions where user_id = $2) as "hasDevice", u.email, u.email_confirmed_at is not null as "isConfirmed",
                  ${mayBeTexted('u')} as "mayBeTexted", u.plan_id as "planId",
                  (select count(*)::int4 from texts where user_id = $2 and ${countedTexts}) as "textsUsed"
             from alerts a join users u on u.id = a.user_id where a.id = $1 and a.user_id = $2`,
    values: key,
  });
  const [row] = rows;
  if (!row) throw refuse('The alert of this message was deleted.');
  return row;
}

/** @throws AppError when the channel would send nothing now, for a reason that the owner can change */
function requireChannel(channel: SentMessage['channel'], owner: OwnerRow, confirmEmail: boolean): void {
  if (!owner.isWatching) throw refuse('This alert is off. Switch it on to send its messages again.');
  if (channel === 'email') {
    if (!owner.mails) throw refuse('Mails of this alert are off. Edit the alert to switch them on.');
    if (!owner.email) throw new AppError('VALIDATION', 'There is no email address in your settings.');
    if (confirmEmail && !owner.isConfirmed)
      throw new AppError('VALIDATION', 'Please confirm your email address first.');
    return;
  }
  if (channel === 'push') {
    if (!owner.pushes) throw refuse('Push messages of this alert are off. Edit the alert to switch them on.');
    if (!owner.hasDevice) throw refuse('No device of yours gets push messages now.');
    return;
  }
  if (!isPaidPlan(owner.planId)) throw new AppError('PLAN_REQUIRED', textsNeedPlan, { needsUpgrade: true });
  if (!owner.texts) throw refuse('Text messages of this alert are off. Edit the alert to switch them on.');
  if (!owner.mayBeTexted) throw refuse('Text messages need a confirmed phone that has not replied STOP.');
  if (owner.textsUsed >= monthlyTexts(owner.planId)) {
    throw new AppError('PLAN_LIMIT', 'All text messages of this month are used up.', {
      needsUpgrade: canUpgrade(owner.planId),
    });
  }
}

/** The cars of a message that wait already, and those that were made to wait. */
interface Added {
  waiting: number;
  added: number;
}

/** Writes the pairs of a locked alert and locked listings again that newer matches have replaced, as `matching` does it. */
export type RestoreLeftOut = (db: Client, alert: OwnedRow, listingIds: readonly number[]) => Promise<unknown>;

/** Locks the cars of a message that are for sale and may have no match any more; before the alert, as restoring them asks. */
async function lockCarsOfMessage(client: Client, alertId: number, { id, userId }: Resend): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>({
    name: 'resend-lock-cars',
    text: `select l.id from listings l
            where l.status = 'for_sale' and exists (select from alerts where id = $2 and user_id = $3 and is_capped)
              and l.id in (select n.listing_id from notifications n
                            where n.user_id = $3 and (n.mail_id = $1 or n.text_id = $1 or n.push_id = $1))
            order by l.id for share`,
    values: [id, alertId, userId],
  });
  return rows.map((row) => row.id);
}

/** Lets the cars of a message wait again that are for sale and still shown by the alert. The claim judges them again. */
async function addWaiting(client: Client, { id, userId }: Resend): Promise<Added> {
  const { rows } = await client.query<Added>({
    name: 'resend-wait',
    text: `with again as materialized (
         select distinct on (n.listing_id) n.user_id, n.alert_id, n.listing_id, n.channel, n.kind, n.price,
                exists (select from notifications w
                         where w.alert_id = n.alert_id and w.user_id = n.user_id and w.listing_id = n.listing_id and w.channel = n.channel
                           and w.status in ('waiting', 'sending')) as waits
           from notifications n
           join alerts a on a.id = n.alert_id and a.user_id = n.user_id
           join listings l on l.id = n.listing_id and l.status = 'for_sale'
           join matches m on m.listing_id = n.listing_id and m.alert_id = n.alert_id and m.user_id = n.user_id and m.alert_version = a.version
          where n.user_id = $2 and (n.mail_id = $1 or n.text_id = $1 or n.push_id = $1) and (a.price_drops or n.kind <> 'price_drop')
          order by n.listing_id, n.id desc
       ), added as (
         insert into notifications (user_id, alert_id, listing_id, channel, kind, price, due_at, resent)
         select user_id, alert_id, listing_id, channel, kind, price, now(), true from again where not waits
         order by listing_id
         returning id
       )
       select (select count(*)::int4 from again where waits) as waiting, (select count(*)::int4 from added) as added,
              (select pg_notify('${channels.work}', 'send'))::text as notified`,
    values: [id, userId],
  });
  return rows[0] ?? { waiting: 0, added: 0 };
}

/** How many cars wait again, and the message in which they leave; null where it has left already. */
export interface Resent {
  cars: number;
  waiting: WaitingMessage | null;
}

/**
 * Sends the cars of a message again that still fit, also those whose matches newer ones have replaced: they wait like new
 * matches of the alert, so that its rules of delivery and the current state of each car decide about them.
 * @throws AppError NOT_FOUND for another's message, CONFLICT, PLAN_REQUIRED, PLAN_LIMIT
 */
export async function resendNotification(
  pool: Pool,
  resend: Resend,
  { confirmEmail, restoreLeftOut }: { confirmEmail: boolean; restoreLeftOut: RestoreLeftOut },
): Promise<Resent> {
  const { cars, alertId, channel } = await letWait(pool, resend, confirmEmail, restoreLeftOut);
  const waiting = await readWaiting(pool, [{ id: alertId, userId: resend.userId }], confirmEmail);
  return { cars, waiting: waiting.find((one) => one.channel === channel) ?? null };
}

function letWait(pool: Pool, resend: Resend, confirmEmail: boolean, restoreLeftOut: RestoreLeftOut) {
  return inTransaction(pool, async (client) => {
    const message = await findMessage(client, resend);
    const { alertId, channel } = message;
    if (alertId === null) throw refuse('The alert of this message was deleted.');
    if (message.status === 'waiting' || message.status === 'sending') throw refuse('This message has not left yet.');
    const leftOut = await lockCarsOfMessage(client, alertId, resend);
    requireChannel(channel, await lockAlert(client, alertId, resend.userId), confirmEmail);
    if (message.status === 'unknown' && !resend.evenIfTwice) {
      throw refuse('This text message may have arrived. Say that it may come twice to send it again.');
    }
    await restoreLeftOut(client, { id: alertId, userId: resend.userId }, leftOut);
    const { waiting, added } = await addWaiting(client, resend);
    if (added > 0) return { cars: added, alertId, channel };
    throw refuse(
      waiting > 0
        ? 'These cars wait to be sent already.'
        : 'No car of this message is still for sale and fits the alert.',
    );
  });
}
