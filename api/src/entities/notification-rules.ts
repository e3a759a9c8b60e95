import { holdRules } from '../domain/delivery/hold-rules.ts';
import { carMailKinds } from '../domain/mail-kinds.ts';
import { FREE_PLAN_ID } from '../domain/plan-list.ts';
import { BATCH_DELAY_MS, MIN_INTERVAL_MS } from '../domain/throttle.ts';

/*
 * What decides about a notification, as SQL: the search asks it for all the pairs of a batch, in the statement that writes
 * their notifications, and the claim asks it again before one is sent.
 */

/** The version of pairs whose car the buyer has dismissed. No alert gets it, and it is above all others. */
export const DISMISSED = 2_147_483_647;

/** For how long a car that was announced under one id is not announced under another one (product, section 5). */
const SILENT_DAYS = 30;

/** SQL: whether what was announced at this time still keeps the car's other listings from being announced. @param at a column */
export const isStillAnnounced = (at: string): string => `${at} > now() - interval '${SILENT_DAYS} days'`;

/**
 * SQL: whether a notification counts as an announcement of its car. One that was dropped or that failed does not, nor does
 * one that the car was sold.
 * Each statement that decides about a relisted car uses it for the notifications of the car's other listings.
 * @param notification the alias of a row of `notifications`
 */
export const announcesCar = (notification: string): string =>
  `${isStillAnnounced(`${notification}.created_at`)} and ${notification}.status not in ('dropped', 'failed') and ${notification}.kind <> 'sold'`;

const interval = `interval '${MIN_INTERVAL_MS} ms'`;

/** SQL: until when an alert's next message is deferred. @param lastSentAt a column, null before the first message */
export const throttledUntil = (lastSentAt: string): string => `${lastSentAt} + ${interval}`;

/** SQL: whether an alert's next message is deferred now. @param lastSentAt as for `throttledUntil` */
export const isThrottled = (lastSentAt: string): string => `${lastSentAt} > now() - ${interval}`;

/** SQL of `earliestSendAt`: when a match that is found now may leave. @param lastSentAt as for `throttledUntil` */
export const earliestSend = (lastSentAt: string): string =>
  `greatest(now() + interval '${BATCH_DELAY_MS} ms', ${throttledUntil(lastSentAt)})`;

/** SQL: rows of `texts` that count towards the month's cap, also those that may have been sent. Months are UTC's. */
export const countedTexts = `kind <> 'code' and status <> 'failed' and created_at >= date_trunc('month', now(), 'UTC')`;

/**
 * SQL: whether a text is shown to its user: one about cars, unless it was certainly not accepted and its cars are in a later
 * one. `limit 1` keeps this a look-up by index. @param text the alias of a row of `texts`
 */
export const isShownText = (text: string): string => `${text}.kind <> 'code' and (${text}.status <> 'failed'
  or (select true from notifications n where n.text_id = ${text}.id and n.user_id = ${text}.user_id limit 1) is not null)`;

/** SQL: whether a number replied STOP. `limit 1` keeps this a look-up by index. @param phone a column or parameter, E.164 */
export const hasStoppedTexts = (phone: string): string =>
  `(select true from text_stops s where s.phone = ${phone} limit 1) is not null`;

/**
 * SQL: whether a user may be texted: on a paid plan, with a confirmed number that has not replied STOP. The search asks
 * it when it decides about a text, and the claim asks again, since each of the three can change in between.
 * @param user the alias of a row of `users`
 */
export const mayBeTexted = (user: string): string => `
  (${user}.plan_id > ${FREE_PLAN_ID} and ${user}.phone_confirmed_at is not null and not (${hasStoppedTexts(`${user}.phone`)}))`;

/** SQL: whether no mails about cars go to an address. @param address a column or parameter */
export const isSuppressed = (address: string): string => `exists (
  select from suppressed_addresses s
   where s.address = lower(${address}) and s.since > coalesce(s.resumed_at, '-infinity'))`;

/**
 * SQL: whether the address of a user gets no mail but its confirmation.
 * @param user the alias of a row of `users` @param confirmEmail a parameter: whether addresses need to be confirmed
 */
export const isUnconfirmed = (user: string, confirmEmail: string): string =>
  `(${confirmEmail}::bool and ${user}.email_confirmed_at is null)`;

/**
 * SQL: whether the address of a user is theirs, by the rule of `ownsAddress`: anybody can type any address.
 * @param user the alias of a row of `users` @param confirmEmail a parameter: whether addresses need to be confirmed
 */
export const ownsEmail = (user: string, confirmEmail: string): string => `(
  ${user}.email_confirmed_at is not null or not ${confirmEmail}::bool and not exists (
    select from users o
     where lower(o.email) = lower(${user}.email) and o.email_confirmed_at is not null and o.id <> ${user}.id))`;

/**
 * SQL, of a group of notifications: the rule that held them, of the first one that a rule held; null where none did. By what
 * they were dropped is none.
 */
export const ruleThatHeld = (notification: string): string =>
  `(array_agg(${notification}.held_by order by ${notification}.id) filter (where ${notification}.held_by = any('{${holdRules.join(',')}}')))[1]`;

/**
 * SQL: whether a row waits and is of one of these alerts, found by a look-up by index for each alert. Without statistics, as
 * of a new table, the planner would read everything that waits instead; "offset 0" and "|| ''" keep it from that.
 * @param row the table, or its alias in the statement @param alertIds a parameter or an array, int8[]
 * @param userIds the owners of these alerts, in any order, as `alertIds`
 */
export const waitsOf = (
  table: 'notifications' | 'mails' | 'pushes',
  alertIds: string,
  userIds: string,
  row: string = table,
): string => `${row}.status || '' = 'waiting' and ${row}.user_id = any (${userIds}) and ${row}.id = any (array(
    select w.id from unnest(${alertIds}) asked (alert_id)
     cross join lateral (
       select t.id, t.status from ${table} t where t.alert_id = asked.alert_id and t.user_id = any (${userIds}) offset 0) w
     where w.status = 'waiting'))`;

/** SQL: the kinds of mails about cars, as a list. */
export const carMails = carMailKinds.map((kind) => `'${kind}'`).join(', ');
