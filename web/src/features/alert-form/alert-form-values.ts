import {
  type AlertFields,
  alertDefaultsSchema,
  alertFieldNames,
  alertSchema,
  deliveryNames,
} from '@lotwatch/api/forms/alert';
import type { DeliveryChoice, QuietHours } from '@lotwatch/api/forms/delivery';
import type { AlertDefaultsInput, AlertInput, AlertPatch } from '../../gql/graphql.ts';

/** The form's fields as the form holds them: every choice and number is text, empty means not asked. */
export type AlertFormValues = {
  [Name in keyof AlertFields]: AlertFields[Name] extends boolean | object | null ? AlertFields[Name] : string;
};

/** The values of the fields about messages. */
export type DeliveryFormValues = Pick<AlertFormValues, keyof DeliveryChoice>;

const collect = <Name extends keyof AlertFields>(names: readonly Name[], valueFor: (name: Name) => unknown) =>
  Object.fromEntries(names.map((name) => [name, valueFor(name)]));

const pickQuietHours = ({ from, to, days }: QuietHours): QuietHours => ({ from, to, days });

/** Fields that hold several values, or null for none. */
const isList = (name: string) => ['models', 'excludeWords', 'requireWords'].includes(name);

type Stored<Name extends keyof AlertFields> = { [Key in Name]: AlertFields[Key] | null | undefined };

const toFormValues = <Name extends keyof AlertFields>(names: readonly Name[], stored: Stored<Name>) =>
  collect(names, (name) => {
    const value: unknown = stored[name];
    // Apollo's object also has its type.
    if (name === 'quietHours') return value ? pickQuietHours(value as QuietHours) : null;
    if (isList(name)) return Array.isArray(value) ? [...value] : null;
    return typeof value === 'boolean' || name === 'priceStated' ? (value ?? null) : String(value ?? '');
  });

/** The form's values of an alert. */
export function fromAlert(alert: Stored<keyof AlertFields>): AlertFormValues {
  const values = toFormValues(alertFieldNames, alert) as AlertFormValues;
  const { models } = values;
  // The form has the first model of several in its own field.
  const own = models?.find((name) => !name.includes('/'));
  if (!models || own === undefined || values.model !== '') return values;
  const others = models.filter((name) => name !== own);
  return { ...values, model: own, models: others.length > 0 ? others : null };
}

/** The values of the fields about messages with which the form of a new alert begins. */
export const fromAlertDefaults = (defaults: Stored<keyof DeliveryChoice>): DeliveryFormValues =>
  toFormValues(deliveryNames, defaults) as DeliveryFormValues;

/** The values without those of the fields about messages, which the quick form does not have. */
export const withoutDelivery = (values: AlertFormValues): Omit<AlertFormValues, keyof DeliveryChoice> => {
  const names = alertFieldNames.filter((name) => !(deliveryNames as readonly string[]).includes(name));
  return collect(names, (name) => values[name]) as Omit<AlertFormValues, keyof DeliveryChoice>;
};

export const alertFormDefaults: AlertFormValues = {
  ...fromAlert(alertSchema.getDefault()),
  radius: '50',
  priceMin: '0',
  priceMax: '50000',
  color: 'any',
};

/** What an edited alert sends: numbers are integers, and an emptied field goes as null, which clears its value. */
export function toAlertPatch(values: AlertFormValues): AlertPatch {
  return alertSchema.cast(collect(alertFieldNames, (name) => (values[name] === '' ? undefined : values[name])));
}

/** The same for the fields about messages of new alerts. */
export function toAlertDefaults(values: DeliveryFormValues): AlertDefaultsInput {
  return alertDefaultsSchema.cast(collect(deliveryNames, (name) => (values[name] === '' ? undefined : values[name])));
}

/** The input of a new alert: numbers are integers, and empty fields are left out. */
export function toAlertInput(values: AlertFormValues): AlertInput {
  const given = Object.entries(toAlertPatch(values)).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as AlertInput;
}

const LEFT_OUT = "A car without a stated price won't match";

/** What to say of cars without a stated price; null where they fit. priceMin 0 is no bound. */
export function unpricedHint(
  values: Pick<AlertFormValues, 'priceMin' | 'priceMax'> & Partial<AlertFormValues>,
): string | null {
  if (values.belowFairPrice) return `${LEFT_OUT}, since nobody can tell whether it is below the fair price.`;
  if (values.priceStated === true) return `${LEFT_OUT}. Choose “Also without a stated price” to include it.`;
  if (values.priceStated === false) return null;
  const isBounded = values.priceMax !== '' || Number(values.priceMin) > 0;
  return isBounded ? `${LEFT_OUT}. Clear the prices to include it.` : null;
}
