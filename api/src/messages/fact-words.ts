import { kindLabel } from '../domain/facts/kinds-from-text.ts';
import { counted, oneLine } from './mail-layout.ts';

/** What a mail says of a car below its title; null is not stated. */
export interface CarFacts {
  title: string;
  trim?: string | null;
  titleStatus?: string | null;
  mileage: number | null;
  transmission: string | null;
  color: string | null;
}

const badTitles: readonly string[] = ['salvage', 'rebuilt', 'lien', 'parts_only'];
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** 'mileage · transmission · color · trim', without those that are not stated; what is amiss with the title comes first. */
export function factWords({ title, trim, titleStatus, mileage, transmission, color }: CarFacts): string {
  const facts = [
    titleStatus && badTitles.includes(titleStatus) ? kindLabel('titleStatus', titleStatus) : null,
    mileage === null ? null : counted(mileage, 'mile', 'miles'),
    transmission === null ? null : capitalised(transmission),
    color === null ? null : capitalised(color),
    trim && !title.toLowerCase().includes(trim.toLowerCase()) ? oneLine(trim) : null,
  ];
  return facts.filter((fact) => fact !== null).join(' · ');
}
