import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useKnown } from '../../../lib/server/use-known.ts';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import { ApiUsageDocument } from '../api-key-documents.ts';
import { Summary } from '../Summary.tsx';
import { UsageChart } from './UsageChart.tsx';
import { daysOf, totalOf, type UsageHour } from './usage-figures.ts';

const count = (number: number) => number.toLocaleString('en-US');

/** How much the keys were used in the last 7 days. */
export function UsageCard({ onKnown }: { onKnown: () => void }) {
  const asked = useQuery(ApiUsageDocument, { fetchPolicy: 'cache-and-network' });
  const error = useKnown(asked, onKnown);
  const hours = asked.data?.apiUsage;
  if (!hours && error) {
    return (
      <ErrorPanel title="The usage could not be loaded" onRetry={() => asked.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  return (
    <Card as="section" aria-labelledby="usage" pad="lg">
      <Flex gap="4" justify="space-between" align="baseline" wrap="wrap">
        <Heading id="usage" size="md">
          Usage
        </Heading>
        {hours ? <Legend hours={hours} /> : null}
      </Flex>
      <Box mt="5" minH="250px">
        {hours ? (
          <>
            <UsageChart hours={hours} />
            <UsageTable hours={hours} />
          </>
        ) : (
          <>
            <LoadingNote>Loading the usage</LoadingNote>
            <Skeleton h="40" />
          </>
        )}
      </Box>
    </Card>
  );
}

function Legend({ hours }: { hours: readonly UsageHour[] }) {
  const { ok, refused } = totalOf(hours);
  const entries = [
    { name: 'answered', color: 'brand', number: ok },
    { name: 'refused', color: 'bad', number: refused },
  ];
  return (
    <Flex as="ul" listStyleType="none" p="0" m="0" gap="4" wrap="wrap" fontSize="sm" color="muted">
      {entries.map(({ name, color, number }) => (
        <chakra.li key={name} display="inline-flex" alignItems="center" gap="2" fontVariantNumeric="tabular-nums">
          <Box aria-hidden w="3" h="3" borderRadius="3px" bg={color} />
          {count(number)} {name}
        </chakra.li>
      ))}
    </Flex>
  );
}

const Cell = chakra('td', { base: { py: '2', textAlign: 'right', fontVariantNumeric: 'tabular-nums' } });
const Head = chakra('th', { base: { py: '2', fontWeight: '600', color: 'muted' } });

function UsageTable({ hours }: { hours: readonly UsageHour[] }) {
  return (
    <chakra.details>
      <Summary>Day by day, as a table</Summary>
      <chakra.table w="full" fontSize="sm" borderCollapse="collapse">
        <thead>
          <tr>
            <Head scope="col" textAlign="left">
              Day
            </Head>
            <Head scope="col" textAlign="right">
              Answered
            </Head>
            <Head scope="col" textAlign="right">
              Refused
            </Head>
          </tr>
        </thead>
        <tbody>
          {daysOf(hours).map(({ name, start, ok, refused }) => (
            <chakra.tr key={start} borderTopWidth="1px" borderColor="line">
              <Head scope="row" textAlign="left" color="ink">
                {name}
              </Head>
              <Cell>{count(ok)}</Cell>
              <Cell>{count(refused)}</Cell>
            </chakra.tr>
          ))}
        </tbody>
      </chakra.table>
      <Muted mt="2">Refused: above the limits, on another plan, or with a key that has ended.</Muted>
    </chakra.details>
  );
}
