import { boolean, object, string } from 'yup';

const aboveMaximum = 'The minimum is above the maximum.';
const highestPrice = 10_000_000;

/** Both ends of a range complain when they are crossed; an empty end (undefined from Formik) is no bound. */
function rangeEnd(otherName: string, isCrossed: (value: number, other: number) => boolean) {
  return string().test('range', aboveMaximum, (value, context) => {
    const other: unknown = context.parent[otherName];
    if (!value || typeof other !== 'string' || other === '') return true;
    return !isCrossed(Number(value), Number(other));
  });
}

const isAbove = (value: number, other: number) => value > other;
const isBelow = (value: number, other: number) => value < other;

function price(end: ReturnType<typeof rangeEnd>) {
  return end.test('highest', 'The highest price is $10,000,000.', (value) => Number(value ?? 0) <= highestPrice);
}

/** The alert form's rules, with the product's own messages. */
export const alertFormSchema = object({
  make: string().required('Car make is required'),
  model: string(),
  yearMin: rangeEnd('yearMax', isAbove),
  yearMax: rangeEnd('yearMin', isBelow),
  location: string().trim().required('Location is required').max(100, 'Location can have at most 100 characters'),
  radius: string().required('Distance radius is required'),
  priceMin: price(rangeEnd('priceMax', isAbove)),
  priceMax: price(rangeEnd('priceMin', isBelow)),
  color: string(),
  onlyWithImages: boolean().defined(),
  emailNotifications: boolean().defined(),
  textNotifications: boolean().defined(),
});
