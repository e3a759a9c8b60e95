import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ListFilter, ListSort } from '../../../gql/graphql.ts';

export const listSorts = ['newest', 'price', 'mileage', 'nearest'] as const satisfies readonly ListSort[];
const listFilters = ['new', 'price_drop', 'saved', 'below_fair_price'] as const satisfies readonly ListFilter[];

/** How a list of cars is sorted and filtered. */
export interface ListChoice {
  sort: ListSort;
  only: readonly ListFilter[];
}

/** Reads a choice from the address: `?sort=price&only=new,price_drop`. What it doesn't know counts as not chosen. */
export function readChoice(params: URLSearchParams): ListChoice {
  const asked = params.get('only')?.split(',') ?? [];
  return {
    sort: listSorts.find((sort) => sort === params.get('sort')) ?? 'newest',
    only: listFilters.filter((filter) => asked.includes(filter)),
  };
}

/** The address's other parameters stay. */
export function withChoice(params: URLSearchParams, { sort, only }: ListChoice): URLSearchParams {
  const next = new URLSearchParams(params);
  if (sort === 'newest') next.delete('sort');
  else next.set('sort', sort);
  if (only.length === 0) next.delete('only');
  else next.set('only', only.join(','));
  return next;
}

/** The address of a list as a CSV file. @param of what the path needs beside the choice */
export function csvAddress(path: string, choice: ListChoice, of: Record<string, string> = {}): string {
  const query = withChoice(new URLSearchParams(of), choice).toString();
  return query ? `${path}?${query}` : path;
}

/** The choice of a list in the page's address, so that it can be reloaded, shared and left and come back to. */
export function useListChoice() {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const choice = readChoice(params);
    return {
      ...choice,
      isPlain: choice.sort === 'newest' && choice.only.length === 0,
      /** Tells lists with different choices apart. */
      key: `${choice.sort} ${choice.only.join(',')}`,
      /** For a query; without a choice they are absent, so that live matches know the list. */
      variables: {
        ...(choice.sort !== 'newest' && { sort: choice.sort }),
        ...(choice.only.length > 0 && { only: [...choice.only] }),
      },
      choose: (change: Partial<ListChoice>) =>
        setParams(
          (now) => {
            const next = withChoice(now, { ...readChoice(now), ...change });
            // Who chooses has seen the car of a pressed message, and stays at what was pressed.
            next.delete('car');
            return next;
          },
          { replace: true },
        ),
    };
  }, [params, setParams]);
}
