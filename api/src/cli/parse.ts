import { classifyAdvert } from '../domain/adverts/car-for-sale.ts';
import { readTextFacts } from '../domain/descriptions/text-facts.ts';
import { readAmount } from '../domain/facts/price.ts';
import { parseTitle } from '../domain/titles/vehicle-title.ts';
import { answerLines, type LineFields } from './answer-lines.ts';

const now = new Date();

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

function priceOf(value: unknown): number | null {
  const amount = typeof value === 'number' ? value : readAmount(textOf(value) ?? '');
  return amount === null || !Number.isFinite(amount) ? null : Math.round(amount);
}

/** The categories of a line, which has one or several. */
const categoriesOf = (value: unknown): string[] => [value].flat().flatMap((category) => textOf(category) ?? []);

/**
 * The facts of one advert by its title and, where the line has them, description, price and category. With any of those,
 * the advert is judged as the intake of listings judges it; year, make and model stay those of the title.
 */
function parseAdvert(title: string, fields: LineFields): object {
  const titled = parseTitle(title, now);
  const price = priceOf(fields.price);
  const description = textOf(fields.description);
  const categories = categoriesOf(fields.category);
  const facts = readTextFacts({ title, description, ...titled, price });
  const mileageMiles = facts.mileageMiles?.from === 'description' ? facts.mileageMiles.value : null;
  const isTitleAlone = price === null && categories.length === 0 && mileageMiles === null;
  const advert = { title, make: null, makeIsVehicles: false, model: null, year: null, categories, price, mileageMiles };
  const decided = isTitleAlone ? null : classifyAdvert(advert, now);
  // Among cars, a name that is also an ordinary word is read as the car's.
  const named = decided !== null && 'make' in decided && titled.make === null ? decided : titled;
  const { year, make, model } = named;
  const isCar = decided === null ? titled.isCar : 'make' in decided;
  return {
    year,
    make,
    model,
    isCar,
    titleStatus: facts.titleStatus?.value ?? null,
    mileage: facts.mileageMiles?.value ?? null,
    drive: facts.drive?.value ?? null,
    fuel: facts.fuel?.value ?? null,
    transmission: facts.transmission?.value ?? null,
    trim: facts.trim?.value ?? null,
    body: facts.body?.value ?? null,
    color: facts.color?.value ?? null,
  };
}

await answerLines('parse', 'title', parseAdvert, {
  year: null,
  make: null,
  model: null,
  isCar: null,
  titleStatus: null,
  mileage: null,
  drive: null,
  fuel: null,
  transmission: null,
  trim: null,
  body: null,
  color: null,
});
