import { object } from 'yup';
import { shortText } from './fields.ts';

/** The most characters of a note, in UTF-16 units. */
export const NOTE_MAX = 1000;

/** A buyer's note about a car; an empty one removes it. */
export const noteSchema = object({ note: shortText('Note', NOTE_MAX) });
