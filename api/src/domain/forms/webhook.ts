import { array, object } from 'yup';
import { generic, isOneLine, text, upTo } from './fields.ts';

const URL_MAX = 2_000;
const DESCRIPTION_MAX = 200;

/** The form of a webhook. Whether the address may be posted to, the server finds out. */
export const webhookSchema = object({
  url: text()
    .trim()
    .required('The address is required')
    .max(URL_MAX, `The address can have at most ${URL_MAX} characters`),
  events: array().typeError(generic.invalid).min(1, 'Choose at least one event'),
  description: text()
    .max(DESCRIPTION_MAX, `The description can have at most ${DESCRIPTION_MAX} characters`)
    .test('line', 'The description must be one line of text', upTo(DESCRIPTION_MAX, isOneLine)),
});
