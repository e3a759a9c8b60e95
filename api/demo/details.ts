import { checkDigitOf, yearCodeOf } from '../src/domain/vin/decode-vin.ts';
import type { DemoCar } from './car.ts';
import { Dice } from './random.ts';

/** What a seller may state beside the title, as the marketplace has it; null where it is not stated. */
export interface Details {
  vin: string | null;
  description: string | null;
  fuel: 'GASOLINE' | 'DIESEL' | 'HYBRID' | 'ELECTRIC' | null;
  drive: 'FWD' | 'RWD' | 'AWD' | '4WD' | null;
  titleStatus: 'CLEAN' | 'REBUILT' | 'SALVAGE' | null;
  seller: 'PRIVATE_SELLER' | 'DEALER' | null;
}

/** No maker has this code, so that no VIN is that of a real car. */
const MAKER = 'DEM';
const CHARACTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789';

/** A VIN with the right check digit. Some have another model year than the advert. */
function drawVin(year: number, dice: Dice): string {
  const some = (count: number, from: number) =>
    Array.from({ length: count }, () => CHARACTERS.charAt(dice.whole(from, CHARACTERS.length - 1))).join('');
  const vinYear = dice.chance(0.04) ? year + dice.pick([-3, -2, -1, 1] as const) : year;
  const [model, plant, serial] = [some(5, 0), some(1, 0), some(6, CHARACTERS.length - 10)];
  const vin = (digit: string) => `${MAKER}${model}${digit}${yearCodeOf(vinYear)}${plant}${serial}`;
  return vin(checkDigitOf(vin('0')));
}

const plainSentences = [
  'Always serviced on time, and I have the receipts.',
  'New battery and brakes this spring.',
  'Tires are a year old. There is a small dent in the rear bumper.',
  'I am moving and have no place for it.',
  'Drives well and needs nothing. Come and see it any evening.',
  'Two keys, never smoked in.',
  'The air conditioning works, the radio is the old one.',
  'Second car of the family, used on weekends.',
] as const;
/** They ask for money before anybody has seen the car. */
const askingFirst = [
  'I work abroad and the car is with a shipping agent. Deposit first, then he brings the keys.',
  'Many people ask for it. Send a deposit by Zelle only and I keep it for you.',
  'Full payment first, it comes to your door within five days.',
] as const;

function drawDescription({ trouble }: DemoCar, promised: boolean, dice: Dice): string | null {
  const [first, second] = [dice.pick(plainSentences), dice.pick(plainSentences)];
  const isStated = promised || trouble !== null || dice.chance(0.6);
  if (!isStated) return null;
  if (trouble === 'asks first') return `${first} ${dice.pick(askingFirst)}`;
  return first === second ? first : `${first} ${second}`;
}

const electric = ['tesla', 'rivian'];
const oftenDiesel = ['ram 2500', 'ford f-250'];

function fuelOf({ make, model }: DemoCar, dice: Dice): NonNullable<Details['fuel']> {
  if (electric.includes(make)) return 'ELECTRIC';
  if (model === 'prius') return 'HYBRID';
  return oftenDiesel.includes(`${make} ${model}`) && dice.chance(0.5) ? 'DIESEL' : 'GASOLINE';
}

const rearDriven = ['bmw', 'mercedes-benz', 'cadillac', 'jaguar', 'maserati', 'genesis', 'tesla', 'dodge', 'infiniti'];

function driveOf({ make, body }: DemoCar, dice: Dice): NonNullable<Details['drive']> {
  if (make === 'subaru') return 'AWD';
  if (body === 'pickup') return dice.chance(0.6) ? '4WD' : 'RWD';
  if (body === 'suv') return make === 'jeep' ? '4WD' : dice.chance(0.55) ? 'AWD' : 'FWD';
  return body === 'coupe' || rearDriven.includes(make) ? 'RWD' : 'FWD';
}

/**
 * Draws the details of a car, which say nothing against its title.
 * @param dice a sequence of their own
 */
export function drawDetails(car: DemoCar, title: string, promised: boolean, dice: Dice): Details {
  const states = <T>(probability: number, value: T): T | null => (dice.chance(probability) ? value : null);
  const hasCleanTitle = car.trouble === null || car.trouble === 'asks first';
  return {
    vin: states(0.35, drawVin(car.year, dice)),
    description: drawDescription(car, promised, dice),
    fuel: states(0.6, fuelOf(car, dice)),
    drive: states(0.45, driveOf(car, dice)),
    titleStatus: hasCleanTitle
      ? states(/clean title/i.test(title) ? 1 : 0.5, 'CLEAN')
      : car.trouble === 'salvage'
        ? 'SALVAGE'
        : 'REBUILT',
    seller: states(0.8, dice.chance(0.3) ? 'DEALER' : 'PRIVATE_SELLER'),
  };
}
