import { type AlertFields, alertFieldNames, alertSchema } from '@lotwatch/api/forms/alert';
import type { QuietHours } from '@lotwatch/api/forms/delivery';
import type { AlertInput, AlertPatch } from '../../gql/graphql.ts';

/** The form's fields as the form holds them: every choice and number is text, empty means not asked. */
export type AlertFormValues = {
  [Name in keyof AlertFields]: AlertFields[Name] extends boolean | object | null ? AlertFields[Name] : string;
};

const collect = (valueFor: (name: keyof AlertFields) => unknown) =>
  Object.fromEntries(alertFieldNames.map((name) => [name, valueFor(name)]));

const pickQuietHours = ({ from, to, days }: QuietHours): QuietHours => ({ from, to, days });

/** The form's values of an alert. */
export function fromAlert(
  alert: { [Name in keyof AlertFields]: AlertFields[Name] | null | undefined },
): AlertFormValues {
  return collect((name) => {
    // Apollo's object also has its type.
    if (name === 'quietHours') return alert.quietHours ? pickQuietHours(alert.quietHours) : null;
    const value = alert[name];
    return typeof value === 'boolean' ? value : String(value ?? '');
  }) as AlertFormValues;
}

export const alertFormDefaults: AlertFormValues = {
  ...fromAlert(alertSchema.getDefault()),
  radius: '50',
  priceMin: '0',
  priceMax: '50000',
  color: 'any',
};

/** What an edited alert sends: numbers are integers, and an emptied field goes as null, which clears its value. */
export function toAlertPatch(values: AlertFormValues): AlertPatch {
  return alertSchema.cast(collect((name) => (values[name] === '' ? undefined : values[name])));
}

/** The input of a new alert: numbers are integers, and empty fields are left out. */
export function toAlertInput(values: AlertFormValues): AlertInput {
  const given = Object.entries(toAlertPatch(values)).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as AlertInput;
}

/**
 * What a price field holds after someone typed or pasted `text`: empty or a whole number of at least 0.
 * '$18,000' becomes '18000' and '99.50' becomes '99'; anything else leaves `before` as it was.
 */
export function cleanPrice(text: string, before: string): string {
  const bare = text.replace(/[$,\s]/g, '');
  const whole = /^(\d*)(?:\.\d*)?$/.exec(bare)?.[1];
  if (whole === undefined || whole.length > 8) return before;
  return whole.replace(/^0+(?=\d)/, '');
}

/** A price bound leaves out cars whose seller stated no price; priceMin 0 is no bound. */
export function limitsPrice(values: Pick<AlertFormValues, 'priceMin' | 'priceMax'>): boolean {
  return values.priceMax !== '' || Number(values.priceMin) > 0;
}
