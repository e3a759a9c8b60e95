import { buildSchema } from 'graphql';
import text from '../../../schema.graphql?raw';

/** The schema that this page was built with. */
export const shippedSchema = buildSchema(text);
