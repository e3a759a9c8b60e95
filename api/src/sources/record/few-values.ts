import { AppError } from '../../base/errors.ts';

/** Far above any page of cars. So many of the worst kind take 100 MB, and a worker has 256 MB. */
const MAX_VALUES = 500_000;
const [OBJECT, LIST, NEXT] = [0x7b, 0x5b, 0x2c];

/**
 * Checks a text of JSON before it is parsed as a whole, as an empty object of two bytes takes many times that in memory.
 * Each `{`, `[` and comma counts, also those in texts, which are few.
 * @throws AppError MALFORMED when it has more values than a page of cars
 */
export function requireFewValues(text: string): void {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === OBJECT || code === LIST || code === NEXT) values++;
  }
  if (values <= MAX_VALUES) return;
  const most = MAX_VALUES.toLocaleString('en-US');
  throw new AppError('MALFORMED', `The answer has more than ${most} values: ask for smaller pages.`);
}
