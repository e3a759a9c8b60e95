import { Box, chakra } from '@chakra-ui/react';
import { Check, X } from 'lucide-react';
import type { ListingCard_ListingFragment } from '../../../gql/graphql.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Badge, Card } from '../../../ui/parts/Card.tsx';
import { ListingPhoto } from '../ListingPhoto.tsx';
import { useListingLink } from '../use-listing-link.ts';
import { compareRows } from './compare-rows.ts';

const Table = chakra('table', {
  base: {
    w: 'full',
    borderCollapse: 'separate',
    borderSpacing: '0',
    fontSize: 'sm',
    '& th, & td': {
      px: '3',
      py: '3',
      textAlign: 'left',
      verticalAlign: 'top',
      borderBottomWidth: '1px',
      borderColor: 'line',
    },
    '& tbody tr:last-of-type > *': { borderBottomWidth: '0' },
    '& td, & thead th': { minW: '170px', w: '24%', overflowWrap: 'anywhere' },
    '& th[scope=row], & thead td': {
      position: 'sticky',
      left: '0',
      zIndex: '1',
      minW: { base: '104px', md: '140px' },
      w: '1%',
      bg: 'panel',
      color: 'muted',
      fontSize: 'xs',
      fontWeight: '600',
    },
  },
});

interface CompareTableProps {
  cars: readonly ListingCard_ListingFragment[];
  onRemove: (car: ListingCard_ListingFragment) => void;
}

/** Cars side by side. On a narrow screen the table is scrolled, and the names of its rows stay. */
export function CompareTable({ cars, onRemove }: CompareTableProps) {
  return (
    <Card pad="none" overflow="hidden">
      <Box
        role="region"
        aria-label="Comparison"
        tabIndex={0}
        overflowX="auto"
        _focusVisible={{ outlineOffset: '-3px' }}
      >
        <Table>
          <thead>
            <tr>
              <td />
              {cars.map((car) => (
                // By its name alone, which is said with each of its cells, and not with the photo and the button.
                <th key={car.id} scope="col" aria-label={car.title}>
                  <CarHead car={car} onRemove={() => onRemove(car)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {compareRows(cars).map(({ name, cells }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map(({ text, best }, at) => (
                  <td key={cars[at]?.id}>
                    <Box whiteSpace="pre-wrap" fontWeight={best ? '650' : undefined}>
                      {text}
                    </Box>
                    {best ? (
                      <Badge tone="brand" mt="1.5" whiteSpace="normal" py="1">
                        <Check size={13} aria-hidden />
                        {best}
                      </Badge>
                    ) : null}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </Box>
    </Card>
  );
}

function CarHead({ car, onRemove }: { car: ListingCard_ListingFragment; onRemove: () => void }) {
  const link = useListingLink(car);
  return (
    <Box fontWeight="600">
      <ListingPhoto
        images={car.photos.slice(0, 1)}
        title={car.title}
        color={car.color}
        dimmed={car.status !== 'for_sale'}
        sizes="(min-width: 48em) 24vw, 146px"
      />
      <chakra.a
        {...link}
        display="inline-block"
        mt="2"
        minH={{ base: '44px', md: '0' }}
        color="ink"
        borderRadius="chip"
        _hover={{ textDecoration: 'underline' }}
      >
        <bdi>{car.title}</bdi>
      </chakra.a>
      <Button
        variant="ghost"
        size="sm"
        display="flex"
        gap="1"
        mt="1"
        ms="-3"
        color="muted"
        aria-label={`Remove ${car.title}`}
        onClick={onRemove}
      >
        <X size={14} aria-hidden />
        Remove
      </Button>
    </Box>
  );
}
