import { FREE_PLAN_ID } from '../../domain/plan-list.ts';

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
