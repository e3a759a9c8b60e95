import { badTitleText, type FurtherFacts, furtherFacts } from '../domain/forms/shown-facts.ts';
import { counted, oneLine } from './mail-layout.ts';

/** What a mail says of a car below its title; null is not stated. */
export interface CarFacts extends FurtherFacts {
  titleStatus?: string | null;
  mileage: number | null;
  transmission: string | null;
  color: string | null;
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/**
 * 'mileage · transmission · color · trim · fuel · drive · body', without those that are not stated or stand in the title; what
 * is amiss with the car's papers comes first.
 */
export function factWords(car: CarFacts): string {
  const { titleStatus, mileage, transmission, color } = car;
  const facts = [
    badTitleText(titleStatus),
    mileage === null ? null : counted(mileage, 'mile', 'miles'),
    transmission === null ? null : capitalised(transmission),
    color === null ? null : capitalised(color),
    ...furtherFacts(car).map(oneLine),
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
