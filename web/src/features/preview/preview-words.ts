import { filterKinds } from '@lotwatch/api/forms/filter-values';
import { matchCountText } from '@lotwatch/api/match-cap';
import type { PreviewAlertQuery } from '../../gql/graphql.ts';
import { dollars, miles } from '../../lib/text/amounts.ts';
import { plural, pluralMatches } from '../../lib/text/time.ts';
import type { AlertFormValues } from '../alert-form/alert-form-values.ts';

export type Preview = PreviewAlertQuery['previewAlert'];
type NearMiss = Preview['nearMisses'][number];

/** A change of the form that would bring more matches. */
export interface Step {
  key: string;
  /** What the button says. */
  text: string;
  changes: Partial<AlertFormValues>;
  /** What was done, once it is. */
  done: string;
}

type Words = Pick<Step, 'text' | 'changes' | 'done'>;

const moreOf = ({ more }: NearMiss) => matchCountText(more);
const difference = ({ from, to }: NearMiss) => dollars(Math.abs(Number(to) - Number(from)));

/** The steps by the field that they change. */
const steps: Readonly<Record<string, (miss: NearMiss, to: string) => Words>> = {
  priceMax: (miss, to) => ({
    text: `${moreOf(miss)} more if the maximum were ${difference(miss)} higher`,
    changes: { priceMax: to },
    done: `The maximum is ${dollars(Number(to))} now.`,
  }),
  priceMin: (miss, to) => ({
    text: `${moreOf(miss)} more if the minimum were ${difference(miss)} lower`,
    changes: { priceMin: to },
    done: `The minimum is ${dollars(Number(to))} now.`,
  }),
  yearMin: (miss, to) => ({
    text: `${moreOf(miss)} more from ${to} on`,
    changes: { yearMin: to },
    done: `It begins with ${to} now.`,
  }),
  yearMax: (miss, to) => ({
    text: `${moreOf(miss)} more up to ${to}`,
    changes: { yearMax: to },
    done: `It goes up to ${to} now.`,
  }),
  radius: (miss, to) => ({
    text: `${moreOf(miss)} more within ${miles(Number(to))}`,
    changes: { radius: to },
    done: `It is within ${miles(Number(to))} now.`,
  }),
  model: (miss) => ({
    text: `${moreOf(miss)} more of other models`,
    changes: { model: '' },
    done: 'Any model fits now.',
  }),
  models: (miss) => ({
    text: `${moreOf(miss)} more of other models`,
    changes: { model: '', models: null },
    done: 'Any model fits now.',
  }),
  color: (miss) => ({
    text: `${moreOf(miss)} more in other colors`,
    changes: { color: 'any' },
    done: 'Any color fits now.',
  }),
  onlyWithImages: (miss) => ({
    text: `${moreOf(miss)} more without photos`,
    changes: { onlyWithImages: false },
    done: 'Cars without photos fit now.',
  }),
  noPrice: (miss) => ({
    text: `${moreOf(miss)} ${miss.more === 1 ? 'states' : 'state'} no price: include ${miss.more === 1 ? 'it' : 'them'}`,
    changes: { priceStated: false },
    done: 'Cars without a stated price fit now.',
  }),
  mileageMax: (miss, to) => ({
    text: `${moreOf(miss)} more with up to ${miles(Number(to))}`,
    changes: { mileageMax: to },
    done: `The mileage goes up to ${miles(Number(to))} now.`,
  }),
  filters: (miss) => ({
    text: `${moreOf(miss)} more without the further filters`,
    changes: {
      ...Object.fromEntries(filterKinds.map((kind) => [kind, ''])),
      excludeWords: null,
      requireWords: null,
      belowFairPrice: false,
    },
    done: 'The further filters are cleared.',
  }),
};

/** The steps that the form can take, in words. */
export function stepsOf(nearMisses: Preview['nearMisses']): Step[] {
  return nearMisses.flatMap((miss) => {
    const words = steps[miss.field]?.(miss, miss.to ?? '');
    return words ? [{ key: miss.field, ...words }] : [];
  });
}

export const countText = (count: number): string => pluralMatches(count, 'match', 'matches');

/** Over which time was counted. */
export function periodText(days: number): string {
  if (days >= 30) return 'in the last 30 days';
  return days === 1 ? 'since LotWatch began to watch today' : `in the ${days} days that LotWatch has watched`;
}

type Delivery = Pick<
  AlertFormValues,
  'emailNotifications' | 'textNotifications' | 'pushNotifications' | 'delivery' | 'maxMailsPerDay'
>;

/** How many messages a week follow from so many matches. */
export function messagesText({ perWeek, days }: Pick<Preview, 'perWeek' | 'days'>, delivery: Delivery): string {
  if (days < 7) return 'That is too short to say what a week brings.';
  const { emailNotifications, textNotifications, pushNotifications } = delivery;
  const isOff = !emailNotifications && !textNotifications && !pushNotifications;
  const one = isOff ? 'match' : emailNotifications ? 'mail' : 'message';
  const about = Math.round(perWeek);
  const week =
    about < 1 ? `Less than one ${one} a week` : `About ${plural(about, one, isOff ? 'matches' : `${one}s`)} a week`;
  if (isOff) return `${week}; all notifications are off.`;
  const aDay = delivery.delivery === 'daily' ? 1 : Number(delivery.maxMailsPerDay);
  if (!emailNotifications || aDay === 0 || perWeek <= aDay * 7) return `${week}.`;
  return `About ${plural(about, 'match', 'matches')} a week, in no more than ${plural(aDay, 'mail')} a day.`;
}

/** Over how many days a saved alert searches. */
const SEARCHED_DAYS = 14;

/** How many of the counted days the list of the alert goes back, where it is not all of them. */
export function listedText({ days, matchCount }: Pick<Preview, 'days' | 'matchCount'>, isSaved: boolean): string {
  if (days <= SEARCHED_DAYS || matchCount === 0) return '';
  return isSaved
    ? `The list of the alert began with those of the ${SEARCHED_DAYS} days before it was saved.`
    : `Once saved, the alert shows those of the last ${SEARCHED_DAYS} days.`;
}

const needed = { make: 'a make', location: 'a place', radius: 'a distance' } as const;

/** What has to be filled in first. */
export function missingText(missing: readonly (keyof typeof needed)[]): string {
  const words = missing.map((name) => needed[name]);
  const last = words.pop();
  const all = words.length > 0 ? `${words.join(', ')} and ${last}` : last;
  return `Choose ${all}, and you see here what this alert would have brought in the last 30 days.`;
}
