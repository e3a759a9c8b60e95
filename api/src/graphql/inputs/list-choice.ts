import { ArgsType, Field, registerEnumType } from 'type-graphql';
import { type ListChoice, type ListFilter, type ListSort, listFilters, listSorts } from '../../listings/list-choice.ts';

const namesOf = <T extends string>(names: readonly T[]) => Object.fromEntries(names.map((name) => [name, name]));
const sortNames = namesOf(listSorts);
export const filterNames = namesOf(listFilters);

registerEnumType(sortNames, {
  name: 'ListSort',
  description: 'By what a list of cars is sorted. Cars that do not state it come last.',
  valuesConfig: {
    newest: { description: 'Newest first: as they matched, or as they were saved.' },
    price: { description: 'Cheapest first.' },
    mileage: { description: 'Least mileage first.' },
    nearest: { description: 'Nearest to the place of the alert first.' },
  },
});

registerEnumType(filterNames, {
  name: 'ListFilter',
  description: 'To which cars a list is narrowed.',
  valuesConfig: {
    new: { description: 'Those with `isNew`.' },
    price_drop: { description: 'Those that are cheaper than before.' },
    saved: { description: 'Those that the user saved.' },
    below_fair_price: { description: 'Those whose price is rated great or good.' },
  },
});

/** How a list of cars is sorted and filtered. */
@ArgsType()
export class ListChoiceArgs {
  @Field(() => sortNames, { defaultValue: 'newest', description: 'By what the list is sorted.' })
  sort!: ListSort;

  @Field(() => [filterNames], { nullable: true, description: 'Only cars to which all of these apply.' })
  only?: ListFilter[] | null;
}

/** Each filter counts once. */
export const readListFilters = (only: readonly ListFilter[] | null | undefined): ListFilter[] => [
  ...new Set(only ?? []),
];

export const readListChoice = ({ sort, only }: ListChoiceArgs): ListChoice => ({ sort, only: readListFilters(only) });
