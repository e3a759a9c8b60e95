import type { AlertInput, AlertPatch } from '../../gql/graphql.ts';

/** The form's fields as the form holds them: every choice and number is text, empty means not asked. */
export interface AlertFormValues {
  make: string;
  model: string;
  yearMin: string;
  yearMax: string;
  location: string;
  radius: string;
  priceMin: string;
  priceMax: string;
  color: string;
  onlyWithImages: boolean;
  emailNotifications: boolean;
  textNotifications: boolean;
}

export const alertFormDefaults: AlertFormValues = {
  make: '',
  model: '',
  yearMin: '',
  yearMax: '',
  location: '',
  radius: '50',
  priceMin: '0',
  priceMax: '50000',
  color: 'any',
  onlyWithImages: true,
  emailNotifications: true,
  textNotifications: false,
};

/** The widest radius the server knows; 'any' is sent as this. */
const anyRadiusMiles = 100;

function toInteger(text: string): number | undefined {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? undefined : number;
}

function toRadius(text: string): number {
  return text === 'any' ? anyRadiusMiles : (toInteger(text) ?? 0);
}

/** The input of a new alert: numbers are integers, and empty fields are left out. */
export function toAlertInput(values: AlertFormValues): AlertInput {
  return {
    make: values.make,
    model: values.model || undefined,
    yearMin: toInteger(values.yearMin),
    yearMax: toInteger(values.yearMax),
    location: values.location.trim(),
    radius: toRadius(values.radius),
    priceMin: toInteger(values.priceMin),
    priceMax: toInteger(values.priceMax),
    color: values.color || 'any',
    onlyWithImages: values.onlyWithImages,
    emailNotifications: values.emailNotifications,
    textNotifications: values.textNotifications,
  };
}

/** What an edited alert sends: an emptied field goes as null, which clears its value. */
export function toAlertPatch(values: AlertFormValues): AlertPatch {
  const input = toAlertInput(values);
  return {
    ...input,
    model: input.model ?? null,
    yearMin: input.yearMin ?? null,
    yearMax: input.yearMax ?? null,
    priceMin: input.priceMin ?? null,
    priceMax: input.priceMax ?? null,
  };
}

/** An alert's facts that the form edits. */
export interface EditableAlert {
  make: string;
  model?: string | null | undefined;
  yearMin?: number | null | undefined;
  yearMax?: number | null | undefined;
  location: string;
  radius: number;
  priceMin?: number | null | undefined;
  priceMax?: number | null | undefined;
  color: string;
  onlyWithImages: boolean;
  emailNotifications: boolean;
  textNotifications: boolean;
}

const asText = (value: number | null | undefined) => (value == null ? '' : String(value));

export function fromAlert(alert: EditableAlert): AlertFormValues {
  return {
    make: alert.make,
    model: alert.model ?? '',
    yearMin: asText(alert.yearMin),
    yearMax: asText(alert.yearMax),
    location: alert.location,
    radius: String(alert.radius),
    priceMin: asText(alert.priceMin),
    priceMax: asText(alert.priceMax),
    color: alert.color || 'any',
    onlyWithImages: alert.onlyWithImages,
    emailNotifications: alert.emailNotifications,
    textNotifications: alert.textNotifications,
  };
}

/**
 * What a price field holds after someone typed or pasted `text`: empty or a whole number of at least 0.
 * '$18,000' becomes '18000' and '99.50' becomes '99'; anything else leaves `before` as it was.
 */
export function priceKeyed(text: string, before: string): string {
  const bare = text.replace(/[$,\s]/g, '');
  const whole = /^(\d*)(?:\.\d*)?$/.exec(bare)?.[1];
  if (whole === undefined || whole.length > 8) return before;
  return whole.replace(/^0+(?=\d)/, '');
}

/** A price bound leaves out cars whose seller stated no price; priceMin 0 is no bound. */
export function boundsPrice(values: Pick<AlertFormValues, 'priceMin' | 'priceMax'>): boolean {
  return values.priceMax !== '' || (toInteger(values.priceMin) ?? 0) > 0;
}
