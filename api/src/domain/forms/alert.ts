import { type AnyObject, array, boolean, type InferType, number, object, type TestContext, ValidationError } from 'yup';
import { grouped } from '../plain-words.ts';
import { filterFields, hasOwnModel } from './alert-filters.ts';
import type { DeliveryChoice } from './delivery.ts';
import { text, tooLong } from './fields.ts';

/** What the server knows beside the values. A form needs none of it, as it offers only values of the catalogue. */
export interface AlertContext {
  /** Determines the last model year. */
  now: Date;
  isMake: (make: string) => boolean;
  isModelOf: (make: string, model: string) => boolean;
  isColor: (color: string) => boolean;
}

const contextOf = ({ options }: TestContext<AnyObject>): Partial<AlertContext> => options.context ?? {};

interface Range {
  min: number;
  max: (now: Date) => number;
  message: (now: Date) => string;
}

const years: Range = {
  min: 1900,
  max: (now) => now.getUTCFullYear() + 1,
  message: (now) => `Please enter a year from ${years.min} to ${years.max(now)}`,
};

/** Whole US dollars. */
const prices: Range = {
  min: 0,
  max: () => 10_000_000,
  message: (now) => `Please enter whole dollars from ${prices.min} to ${grouped(prices.max(now))}`,
};

/** Miles. */
const mileages: Range = {
  min: 1,
  max: () => 2_000_000,
  message: (now) => `Please enter whole miles from ${mileages.min} to ${grouped(mileages.max(now))}`,
};

const isWithin = ({ min, max }: Range, value: unknown, now: Date): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max(now);

/** An integer within a range; null means no bound. */
const bound = (range: Range) =>
  number()
    .typeError(() => range.message(new Date()))
    .nullable()
    .default(null)
    .test({
      name: 'range',
      params: { min: range.min, max: range.max },
      skipAbsent: true,
      test(value, context) {
        const { now = new Date() } = contextOf(context);
        return isWithin(range, value, now) || context.createError({ message: range.message(now) });
      },
    });

/** A value of the catalogue; null means any. */
const choice = (message: string) =>
  text()
    .typeError(message)
    .trim()
    .transform((value: unknown) => (value === '' ? null : value))
    .nullable()
    .default(null);

export const unknownFlagMessage = 'Please choose yes or no';

const flag = (initial: boolean) => boolean().typeError(unknownFlagMessage).default(initial);

const unknownMakeMessage = 'Please choose a make from the list';
const unknownModelMessage = 'Please choose a model of this make';
const unknownColorMessage = 'Please choose a color from the list';
const unknownRadiusMessage = 'Please choose 5, 10, 25, 50 or 100 miles';
/** In miles. */
const radii = [5, 10, 25, 50, 100];
/** What a form's 'any' stands for. */
export const largestRadius = Math.max(...radii);
const LOCATION_MAX = 100;
const longLocationMessage = tooLong('Location', LOCATION_MAX);

const deliveryUnknown = 'Please choose at once or once a day';
const hourUnknown = 'Please choose an hour from 0 to 23';
const limitUnknown = 'Please enter 1 to 100 mails a day';
const quietUnknown = 'Please choose when quiet hours begin and end, and at least one day';
const quietAlways = 'Quiet hours cannot cover the whole week';

const timeOfDay = () =>
  text()
    .typeError(quietUnknown)
    .required(quietUnknown)
    .matches(/^([01]\d|2[0-3]):[0-5]\d$/, quietUnknown);

/** A whole number; null where nothing is limited. */
const whole = (min: number, max: number, message: string) =>
  number().typeError(message).integer(message).min(min, message).max(max, message);

/** Times of day as '22:00' and the days on which they begin, 0 is Sunday. The same times twice are a whole day. */
const quietHours = object({
  from: timeOfDay(),
  to: timeOfDay(),
  days: array(whole(0, 6, quietUnknown).required(quietUnknown))
    .typeError(quietUnknown)
    .required(quietUnknown)
    .min(1, quietUnknown)
    .max(7, quietUnknown)
    .test('distinct', quietUnknown, (days) => new Set(days).size === days.length),
})
  .typeError(quietUnknown)
  .nullable()
  .default(null)
  .test('ends', quietAlways, (hours) => hours === null || hours.from !== hours.to || hours.days?.length !== 7);

/** How and when an alert notifies. When one of them changes, it applies to what already waits. */
const deliveryFields = {
  emailNotifications: flag(true),
  textNotifications: flag(false),
  pushNotifications: flag(false),
  delivery: text().typeError(deliveryUnknown).oneOf(['instant', 'daily'], deliveryUnknown).default('instant'),
  digestHour: whole(0, 23, hourUnknown).default(8),
  quietHours,
  maxMailsPerDay: whole(1, 100, limitUnknown).nullable().default(null),
  priceDrops: flag(true),
};

const fields = {
  make: text()
    .typeError(unknownMakeMessage)
    .trim()
    .required('Car make is required')
    .test('known', unknownMakeMessage, (make, context) => contextOf(context).isMake?.(make) ?? true),
  model: choice(unknownModelMessage).test(
    'known',
    unknownModelMessage,
    (model, context) => model === null || (contextOf(context).isModelOf?.(context.parent.make, model) ?? true),
  ),
  yearMin: bound(years),
  yearMax: bound(years),
  // PostgreSQL's text can't hold NUL.
  location: text()
    .typeError(longLocationMessage)
    .trim()
    .default('')
    .max(LOCATION_MAX, longLocationMessage)
    .test('storable', longLocationMessage, (location) => !location.includes('\0')),
  radius: number()
    .transform((value: unknown, typed: unknown) => (typed === 'any' ? largestRadius : value))
    .typeError(unknownRadiusMessage)
    .oneOf(radii, unknownRadiusMessage),
  priceMin: bound(prices),
  priceMax: bound(prices),
  color: choice(unknownColorMessage).test(
    'known',
    unknownColorMessage,
    (color, context) => color === null || (contextOf(context).isColor?.(color) ?? true),
  ),
  onlyWithImages: flag(true),
  mileageMax: bound(mileages),
  ...filterFields,
  ...deliveryFields,
};

const needed = (name: keyof typeof fields, message: string) => ({
  name: `needed-${name}`,
  test: (alert: AnyObject, { createError }: TestContext) =>
    Boolean(alert[name]) || createError({ path: name, message }),
});

export const rangeCrossed = 'The minimum is above the maximum.';

/** Refuses both ends of a range when the minimum is above the maximum, unless one of them is refused for itself. */
const ordered = (range: Range, minName: keyof typeof fields, maxName: keyof typeof fields) => ({
  name: `ordered-${minName}`,
  test(alert: AnyObject, context: TestContext) {
    const { now = new Date() } = contextOf(context);
    const [min, max]: unknown[] = [alert[minName], alert[maxName]];
    if (!isWithin(range, min, now) || !isWithin(range, max, now) || min <= max) return true;
    return new ValidationError([minName, maxName].map((path) => context.createError({ path, message: rangeCrossed })));
  },
});

/** The alert form. Rules for several fields together are tested after the rules for each field. */
export const alertSchema = object(fields)
  .test(needed('location', 'Location is required'))
  .test(needed('radius', 'Distance radius is required'))
  .test(ordered(years, 'yearMin', 'yearMax'))
  .test(ordered(prices, 'priceMin', 'priceMax'))
  .test(hasOwnModel);

/** All fields of an alert that its owner edits, as they are stored. */
export type AlertFields = InferType<typeof alertSchema> & { radius: number };

/** In the order of the form. */
export const alertFieldNames = Object.keys(fields) as readonly (keyof AlertFields)[];

/** Fields without which there is no alert. */
export const requiredAlertFields: readonly (keyof AlertFields)[] = ['make', 'location', 'radius'];

/** The fields that say how and when the alert notifies. */
export const deliveryNames = Object.keys(deliveryFields) as readonly (keyof DeliveryChoice)[];

/** How a user's new alerts notify, as the form for new alerts begins. Its own defaults are those of the API. */
export const alertDefaultsSchema = object(deliveryFields);

/** Fields that are no criteria. The location is none, as listings are compared with the coordinates that it stands for. */
const noCriteria: readonly (keyof AlertFields)[] = ['location', ...deliveryNames];

/** The further filters, none of which an alert needs. */
export const filterNames = ['mileageMax', ...Object.keys(filterFields)] as readonly (
  | 'mileageMax'
  | keyof typeof filterFields
)[];

/** The fields that are criteria: when one of them changes, the alert is matched again. */
export const criterionNames = alertFieldNames.filter((name) => !noCriteria.includes(name));
