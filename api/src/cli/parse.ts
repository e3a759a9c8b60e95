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

/** The facts of one advert by its title and, where the line has them, description, price and category. */
function parseAdvert(title: string, fields: LineFields): object {
  const { year, make, model, isCar } = parseTitle(title, now);
  const price = priceOf(fields.price);
  const facts = readTextFacts({ title, description: textOf(fields.description), make, model, year, price });
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
