import { adminExamples } from './admin-examples.ts';
import { apiClientExamples } from './api-client-examples.ts';
import { buyerExamples } from './buyer-examples.ts';
import type { ExampleGroup } from './example.ts';
import { visitorExamples } from './visitor-examples.ts';

/** The examples for each kind of user, from visitors to the admin. */
export const exampleGroups: readonly ExampleGroup[] = [
  visitorExamples,
  buyerExamples,
  apiClientExamples,
  adminExamples,
];

/** The text for the variables' editor. */
export const variablesText = (variables: Record<string, unknown> | undefined): string =>
  variables === undefined ? '' : JSON.stringify(variables, null, 2);
