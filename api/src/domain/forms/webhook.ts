import { array, object } from 'yup';
import { generic, ifShort, isOneLine, text } from './fields.ts';

const URL_MAX = 2_000;
const DESCRIPTION_MAX = 200;

/** The form of a webhook. Only the server checks whether it may send requests to the address. */
export const webhookSchema = object({
  url: text()
    .trim()
    .required('The address is required')
    .max(URL_MAX, `The address can have at most ${URL_MAX} characters`),
  events: array().typeError(generic.invalid).min(1, 'Choose at least one event'),
  description: text()
    .max(DESCRIPTION_MAX, `The description can have at most ${DESCRIPTION_MAX} characters`)
    .test('line', 'The description must be one line of text', ifShort(DESCRIPTION_MAX, isOneLine)),
});
