import { alertFieldNames, deliveryNames } from '@lotwatch/api/forms/alert';
import { Kind } from 'graphql';
import { expect, it } from 'vitest';
import { SharedAlertFragment } from './sharing-documents.ts';

it('asks for every criterion of an alert, so that the shared page and an alert made from it miss none', () => {
  // What stands for a field that others may not see.
  const replaced = new Map([
    ['location', 'place'],
    ['excludeWords', 'asksForWords'],
    ['requireWords', 'asksForWords'],
  ]);
  const criteria = alertFieldNames.filter((name) => !deliveryNames.some((one) => one === name));
  const [fragment] = SharedAlertFragment.definitions;
  const asked =
    fragment?.kind === Kind.FRAGMENT_DEFINITION
      ? fragment.selectionSet.selections.flatMap((field) => (field.kind === Kind.FIELD ? field.name.value : []))
      : [];
  expect(asked).toEqual(expect.arrayContaining(criteria.map((name) => replaced.get(name) ?? name)));
});
