import { anyCar } from '../demo/car.ts';
import { Dice } from '../demo/random.ts';
import { oddTitle, titleOf } from '../demo/title.ts';
import { makes, modelsOf } from '../src/domain/catalogue.ts';
import { parseTitle } from '../src/domain/titles/vehicle-title.ts';
import type { BenchOptions, BenchResult } from './options.ts';
import { measurePace } from './pace.ts';

const TITLES = 50_000;
const HOSTILE = 3_000;
const LEAST_PER_SECOND = 20_000;
const MOST_MS = 1;
const LONGEST = 600;

const names: readonly string[] = makes.flatMap(({ value, label }) =>
  modelsOf(value).map((model) => `${label} ${model.label}`),
);
const forms = [
  'Used {year} {name} SE 4dr w/Navi',
  '{year} {name} 4x4 clean title 128k miles',
  '{name} {year} {trim}',
  "'{short} {name} runs great, new tires",
  '{year} {NAME} {trim} FRONT END DAMAGE',
  'selling my {year} {name} - $4,900 OBO',
  '23k-Mile {year} {name} {trim} 6-Speed',
  'set of rims off {year} {name}',
] as const;
const trims = ['LE', 'EX-L', 'Limited AWD', 'SE V6', 'Touring', 'XLT SuperCrew', '2.5 SL', 'Sport Utility 4D'] as const;

/** Two letters swapped, one doubled or one left out, as in haste. */
function misspelt(text: string, dice: Dice): string {
  const at = dice.whole(1, Math.max(1, text.length - 3));
  const [one = '', two = ''] = text.slice(at, at + 2);
  return text.slice(0, at) + dice.pick([two + one, one + one + two, two] as const) + text.slice(at + 2);
}

/** A title as sellers, dealers and auctions write it, of every make and model alike; one in ten is misspelt. */
function catalogueTitle(dice: Dice): string {
  const year = dice.whole(1990, 2026);
  const plain = dice.pick(['', ...names]);
  const name = dice.chance(0.1) ? misspelt(plain, dice) : plain;
  return dice
    .pick(forms)
    .replace('{year}', `${year}`)
    .replace('{short}', `${year}`.slice(2))
    .replace('{name}', name)
    .replace('{NAME}', name.toUpperCase())
    .replace('{trim}', dice.pick(trims));
}

const parts = ['1 ', '((', "' ", 'f 1 5 0 ', '2018 ', '05 ', 'ℓ', '\u0301', '\ud800', '<b', '&#39;', 'x'] as const;

/** A text as long as a title can be, made to reach as many rules as possible: names, half-names, years, brackets. */
function hostileTitle(dice: Dice): string {
  let text = '';
  const repeated = dice.chance(0.3);
  const one = misspelt(dice.pick(['chevrolet', ...names]), dice);
  while (text.length < LONGEST) {
    if (repeated) text += `${one} `;
    else if (dice.chance(0.4)) text += `${misspelt(dice.pick(['ford', ...names]), dice)} `;
    else if (dice.chance(0.5)) text += `${dice.pick(['toyota', ...names])} `;
    else text += dice.pick(parts).repeat(dice.whole(1, 8));
  }
  return text;
}

/** How fast titles are read in one process, and how long the slowest one takes. */
export async function benchTitles({ listings = TITLES, seed }: BenchOptions): Promise<BenchResult> {
  const now = new Date();
  const dice = new Dice(seed);
  const titles = Array.from({ length: listings }, (_, position) => {
    if (dice.chance(0.5)) return catalogueTitle(dice);
    return dice.chance(0.05) ? oddTitle(dice) : titleOf(anyCar(seed, position, now.getUTCFullYear()), false, dice);
  });
  const hostile = Array.from({ length: HOSTILE }, () => hostileTitle(dice));
  const repeated = [...parts, 'a', 'toyoat ', 'chrysler town & '].map((part) => part.repeat(100_000 / part.length));
  return measurePace({
    bench: 'titles',
    texts: titles,
    hostile: [...titles.slice(0, HOSTILE), ...hostile, ...repeated],
    answer: (title) => parseTitle(title, now),
    leastPerSecond: LEAST_PER_SECOND,
    mostMs: MOST_MS,
  });
}
