import { alertTexts, bounds, lastYear } from '@lotwatch/api/form-rules';
import { boolean, object, string } from 'yup';

interface Range {
  isWithin: (value: number) => boolean;
  /** The text for a value that is missing. */
  fault: () => string;
}

const within = (min: number, max: number) => (value: number) => Number.isInteger(value) && value >= min && value <= max;

const years: Range = {
  isWithin: (value) => within(bounds.firstYear, lastYear(new Date()))(value),
  fault: () => alertTexts.yearUnknown(new Date()),
};
const prices: Range = { isWithin: within(0, bounds.price), fault: () => alertTexts.priceUnknown };

/** Both ends of a range complain when they are crossed; an empty end (undefined from Formik) is no bound. */
function rangeEnd({ isWithin, fault }: Range, otherName: string, isCrossed: (value: number, other: number) => boolean) {
  return string().test('range', (value, context) => {
    if (!value) return true;
    if (!isWithin(Number(value))) return context.createError({ message: fault() });
    const other: unknown = context.parent[otherName];
    if (typeof other !== 'string' || other === '' || !isWithin(Number(other))) return true;
    return !isCrossed(Number(value), Number(other)) || context.createError({ message: alertTexts.crossed });
  });
}

const isAbove = (value: number, other: number) => value > other;
const isBelow = (value: number, other: number) => value < other;

/** The alert form's rules, with the product's own messages. */
export const alertFormSchema = object({
  make: string().required(alertTexts.makeRequired),
  model: string(),
  yearMin: rangeEnd(years, 'yearMax', isAbove),
  yearMax: rangeEnd(years, 'yearMin', isBelow),
  location: string().trim().required(alertTexts.locationRequired).max(bounds.location, alertTexts.locationLong),
  radius: string().required(alertTexts.radiusRequired),
  priceMin: rangeEnd(prices, 'priceMax', isAbove),
  priceMax: rangeEnd(prices, 'priceMin', isBelow),
  color: string(),
  onlyWithImages: boolean().defined(),
  emailNotifications: boolean().defined(),
  textNotifications: boolean().defined(),
});
