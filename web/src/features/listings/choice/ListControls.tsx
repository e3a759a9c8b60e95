import { Box, chakra, Flex } from '@chakra-ui/react';
import { Check, Download } from 'lucide-react';
import { memo } from 'react';
import type { ListFilter, ListSort } from '../../../gql/graphql.ts';
import { Select } from '../../../ui/form/inputs.tsx';
import { AnchorButton, Button } from '../../../ui/parts/Button.tsx';
import { type ListChoice, listSorts } from './use-list-choice.ts';

const sortTexts = {
  newest: 'Newest first',
  price: 'Lowest price',
  mileage: 'Lowest mileage',
  nearest: 'Nearest',
} as const satisfies Record<ListSort, string>;

const filterTexts = {
  new: 'New',
  price_drop: 'Price drops',
  saved: 'Saved',
  below_fair_price: 'Below fair price',
} as const satisfies Record<ListFilter, string>;

/** One line that is scrolled on phones, up to the edges of the screen. */
const Line = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    mx: { base: '-4', md: '0' },
    px: { base: '4', md: '0' },
    // The focus ring needs room.
    py: '1',
    my: '-1',
    overflowX: { base: 'auto', md: 'visible' },
    scrollbarWidth: 'none',
    flexWrap: { md: 'wrap' },
    '& > *': { flexShrink: 0 },
  },
});

interface ListControlsProps {
  /** Names the list: 'matches'. */
  what: string;
  choice: ListChoice;
  choose: (change: Partial<ListChoice>) => void;
  filters: readonly ListFilter[];
  /** What is first in the list as it is without a choice. */
  newestText?: string;
  /** The address of the list as a file, with the choice. */
  file: string;
}

/** Sorts and filters a list of cars. */
export const ListControls = memo(function ListControls({
  what,
  choice,
  choose,
  filters,
  newestText = sortTexts.newest,
  file,
}: ListControlsProps) {
  const { sort, only } = choice;
  const toggle = (filter: ListFilter) =>
    choose({ only: only.includes(filter) ? only.filter((one) => one !== filter) : [...only, filter] });
  return (
    <Line>
      <Box w="168px">
        <Select
          aria-label={`Sort ${what}`}
          value={sort}
          onChange={({ currentTarget }) =>
            choose({ sort: listSorts.find((one) => one === currentTarget.value) ?? 'newest' })
          }
          options={listSorts.map((value) => ({
            value,
            label: value === 'newest' ? newestText : sortTexts[value],
          }))}
          minH={{ base: '44px', md: '36px' }}
          fontSize={{ base: '1rem', md: 'sm' }}
          fontWeight="600"
        />
      </Box>
      <Flex role="group" aria-label={`Show only ${what} that are`} gap="1.5" wrap={{ md: 'wrap' }}>
        {filters.map((filter) => {
          const isOn = only.includes(filter);
          return (
            <Button
              key={filter}
              variant="outline"
              size="sm"
              borderRadius="full"
              whiteSpace="nowrap"
              aria-pressed={isOn}
              gap="1.5"
              bg={isOn ? 'brandSoft' : 'panel'}
              color={isOn ? 'brand' : 'ink'}
              borderColor={isOn ? 'brand' : 'line'}
              onClick={() => toggle(filter)}
            >
              {isOn ? <Check size={14} aria-hidden /> : null}
              {filterTexts[filter]}
            </Button>
          );
        })}
      </Flex>
      <AnchorButton
        href={file}
        download
        variant="ghost"
        size="sm"
        gap="1.5"
        color="muted"
        ms={{ md: 'auto' }}
        aria-label={`Download ${what} as a CSV file`}
      >
        <Download size={15} aria-hidden />
        CSV
      </AnchorButton>
    </Line>
  );
});
