import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { type PointerEvent, useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useOnLoaded } from '../../lib/server/use-on-loaded.ts';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { ApiUsageDocument } from './api-key-documents.ts';
import { Summary } from './Summary.tsx';
import { daysOf, hourName, namedDays, scaleOf, totalOf, type UsageHour } from './usage-figures.ts';

const count = (number: number) => number.toLocaleString('en-US');

/** The use of the keys in the last 7 days. */
export function UsageCard({ onLoaded }: { onLoaded: () => void }) {
  const result = useQuery(ApiUsageDocument, { fetchPolicy: 'cache-and-network' });
  const error = useOnLoaded(result, onLoaded);
  const hours = result.data?.apiUsage;
  if (!hours && error) {
    return (
      <ErrorPanel title="The usage could not be loaded" onRetry={() => result.refetch()}>
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

const WIDTH = 720;
const HEIGHT = 160;

const Bar = chakra('rect', { base: { shapeRendering: 'crispEdges' } });
const Rule = chakra('line', { base: { stroke: 'line', strokeWidth: '1', vectorEffect: 'non-scaling-stroke' } });

/** One bar an hour, with refused requests on top. The table below has the same data. */
function UsageChart({ hours }: { hours: readonly UsageHour[] }) {
  const [at, setAt] = useState<number | null>(null);
  const top = scaleOf(hours);
  const step = WIDTH / hours.length;
  const height = (requests: number) => (requests / top) * HEIGHT;
  const days = daysOf(hours).filter(({ start }) => start > 0);
  const { ok, refused } = totalOf(hours);
  const pointed = at === null ? undefined : hours[at];
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const index = Math.floor(((event.clientX - left) / width) * hours.length);
    setAt(Math.min(hours.length - 1, Math.max(0, index)));
  };
  return (
    <chakra.figure m="0">
      <Box display="flex" gap="3">
        <Box
          aria-hidden
          display="flex"
          flexDirection="column"
          justifyContent="space-between"
          h="160px"
          minW="9"
          textAlign="right"
          fontSize="2xs"
          lineHeight="1"
          color="muted"
          fontVariantNumeric="tabular-nums"
        >
          {[top, top / 2, 0].map((tick) => (
            <span key={tick}>{count(tick)}</span>
          ))}
        </Box>
        <Box flex="1" minW="0">
          <chakra.svg
            role="img"
            aria-label={`Requests of the last 7 days, by the hour: ${count(ok)} answered, ${count(refused)} refused.`}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            display="block"
            w="full"
            h="160px"
            touchAction="pan-y"
            onPointerMove={follow}
            onPointerDown={follow}
            onPointerLeave={() => setAt(null)}
          >
            {[0, 0.5, 1].map((part) => (
              <Rule key={part} x1={0} x2={WIDTH} y1={part * HEIGHT} y2={part * HEIGHT} />
            ))}
            {days.map(({ start }) => (
              <Rule key={start} x1={start * step} x2={start * step} y1={0} y2={HEIGHT} strokeDasharray="2 3" />
            ))}
            {at === null ? null : <Bar x={at * step} width={step} y={0} height={HEIGHT} fill="brandSoft" />}
            {hours.map((one, index) => (
              <g key={one.hour}>
                {one.ok > 0 ? (
                  <Bar
                    x={index * step}
                    width={step * 0.8}
                    y={HEIGHT - height(one.ok)}
                    height={height(one.ok)}
                    fill="brand"
                  />
                ) : null}
                {one.refused > 0 ? (
                  <Bar
                    x={index * step}
                    width={step * 0.8}
                    y={HEIGHT - height(one.ok + one.refused)}
                    height={height(one.refused)}
                    fill="bad"
                  />
                ) : null}
              </g>
            ))}
          </chakra.svg>
          <Box aria-hidden position="relative" h="5" mt="1.5" fontSize="2xs" color="muted">
            {namedDays(days, hours.length).map(({ name, start }, index) => (
              <chakra.span
                key={start}
                position="absolute"
                left={`${(start / hours.length) * 100}%`}
                whiteSpace="nowrap"
                // On phones there is room for every other day.
                display={{ base: index % 2 ? 'none' : 'inline', sm: 'inline' }}
              >
                {name.split(', ')[1]}
              </chakra.span>
            ))}
          </Box>
        </Box>
      </Box>
      <chakra.figcaption mt="3" minH="5" fontSize="sm" color="muted" fontVariantNumeric="tabular-nums">
        {pointed
          ? `${hourName(pointed.hour)}: ${count(pointed.ok)} answered, ${count(pointed.refused)} refused`
          : ok + refused > 0
            ? 'Requests an hour, in your time zone.'
            : 'No requests in the last 7 days.'}
      </chakra.figcaption>
    </chakra.figure>
  );
}
