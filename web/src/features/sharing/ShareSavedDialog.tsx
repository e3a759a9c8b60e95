import { useQuery } from '@apollo/client/react';
import { Box, chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { SavedChoiceQuery } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { priceText } from '../../lib/text/amounts.ts';
import { plural } from '../../lib/text/time.ts';
import { Checkbox } from '../../ui/form/Checkbox.tsx';
import { FormError } from '../../ui/form/FormError.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { useListChoice } from '../listings/choice/use-list-choice.ts';
import { HiddenLeftOut } from './HiddenLeftOut.tsx';
import type { SharingState } from './ShareButton.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { useLinkActions } from './use-link-actions.ts';
import { carsLeaveOut, carsShown, WhatIsShown } from './WhatIsShown.tsx';

/** As many as a list may have. */
const SavedChoiceDocument = graphql(`
  query SavedChoice($sort: ListSort, $only: [ListFilter!]) {
    savedListings(first: 50, sort: $sort, only: $only) {
      nodes { id listing { id title price hidden } }
      total
    }
  }
`);

type SavedPage = SavedChoiceQuery['savedListings'];

/** Makes a link to saved cars: all that the page lists, up to 50, without those that are hidden or unticked. */
export function ShareSavedDialog(state: SharingState) {
  const { variables } = useListChoice();
  // In the cache it would take the place of the page's own list.
  const result = useQuery(SavedChoiceDocument, { variables, fetchPolicy: 'no-cache' });
  const error = useFailure(result);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { shareListings } = useLinkActions();
  const page = result.data?.savedListings;
  const ids = page ? offered(page).flatMap(({ id }) => (left.has(id) ? [] : [id])) : [];
  return (
    <ShareDialog
      {...state}
      title="Share saved cars"
      what={plural(ids.length, 'car')}
      canMake={page !== undefined}
      make={(onMade) => shareListings(ids, onMade)}
    >
      {page ? (
        <Choice page={page} left={left} onChange={setLeft} />
      ) : error ? (
        <FormError>{readFault(error).message}</FormError>
      ) : (
        <>
          <LoadingNote>Loading your saved cars</LoadingNote>
          <Skeleton h="180px" borderRadius="field" />
        </>
      )}
      <WhatIsShown shows={carsShown} leavesOut={carsLeaveOut} />
    </ShareDialog>
  );
}

const carsOf = ({ nodes }: SavedPage) => nodes.flatMap(({ listing }) => listing ?? []);

/** What whoever has the link would see. */
const offered = (page: SavedPage) => carsOf(page).filter(({ hidden }) => !hidden);

interface ChoiceProps {
  page: SavedPage;
  /** The ids of cars that are not to be shared. */
  left: ReadonlySet<string>;
  onChange: (left: ReadonlySet<string>) => void;
}

function Choice({ page, left, onChange }: ChoiceProps) {
  const cars = offered(page);
  const toggle = (id: string, isShared: boolean) => {
    const next = new Set(left);
    if (isShared) next.delete(id);
    else next.add(id);
    onChange(next);
  };
  return (
    <chakra.fieldset border="0" p="0" m="0" minW="0" color="ink">
      <chakra.legend fontSize="sm" fontWeight="600" p="0" mb="1.5">
        {cars.length - left.size} of {plural(cars.length, 'car')} chosen
      </chakra.legend>
      <Box
        maxH="min(240px, 34dvh)"
        overflowY="auto"
        borderWidth="1px"
        borderColor="line"
        borderRadius="field"
        px="3"
        py="1"
      >
        {cars.map(({ id, title, price }) => (
          <Checkbox
            key={id}
            label={<chakra.bdi overflowWrap="anywhere">{title}</chakra.bdi>}
            hint={priceText(price)}
            checked={!left.has(id)}
            onChange={(isShared) => toggle(id, isShared)}
          />
        ))}
      </Box>
      <HiddenLeftOut count={carsOf(page).length - cars.length} />
      {page.total > page.nodes.length ? (
        <chakra.p mt="1.5" fontSize="xs" color="muted">
          A list has up to 50 cars: these are the first of your {page.total}.
        </chakra.p>
      ) : null}
    </chakra.fieldset>
  );
}
