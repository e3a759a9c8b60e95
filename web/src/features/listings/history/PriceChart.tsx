import { Box, chakra, Flex } from '@chakra-ui/react';
import { scaleLinear, scaleUtc } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { priceText } from '../../../lib/text/amounts.ts';
import { dayText } from '../../../lib/text/time.ts';
import { Heading } from '../../../ui/parts/Card.tsx';
import { MIN_HEIGHT, NoChart } from './ChartSkeleton.tsx';
import { BottomAxis, Frame, HEIGHT, margin, PriceAxis, Table, useWidth } from './chart-parts.tsx';
import {
  type CarListing,
  type PriceEvent,
  type PricePoint,
  type PriceSteps,
  priceEvents,
  priceSteps,
} from './price-steps.ts';

/** Sources are told apart by their dashes, never by colour alone. */
const dashes = ['', '6 4', '2 3', '8 3 2 3'];

const Steps = chakra('path', { base: { fill: 'none', strokeWidth: '2', strokeLinejoin: 'round' } });
const Dot = chakra('circle', { base: { strokeWidth: '2', stroke: 'panel' } });

interface PriceChartProps {
  listings: readonly CarListing[];
  now: Date;
}

/** The car's prices over time under all of its listings: a chart, and all that happened in a table. */
export function PriceChart({ listings, now }: PriceChartProps) {
  const events = priceEvents(listings);
  const steps = priceSteps(listings, now);
  return (
    <Flex as="section" direction="column" gap="2" minH={MIN_HEIGHT} aria-label="Price history of this car">
      <Heading as="h4" size="sm">
        Price history
      </Heading>
      {steps.length > 0 && events.length > 1 ? (
        <Chart steps={steps} now={now} />
      ) : (
        <NoChart>The price has not changed since we first saw the car.</NoChart>
      )}
      <EventTable events={events} now={now} />
    </Flex>
  );
}

function sourcesOf(steps: readonly PriceSteps[]): Map<string, string> {
  const names = [...new Set(steps.map(({ source }) => source))];
  return new Map(names.map((name, index) => [name, dashes[index % dashes.length] ?? '']));
}

function Chart({ steps, now }: { steps: readonly PriceSteps[]; now: Date }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const points = steps.flatMap((one) => one.points);
  const prices = points.map(({ price }) => price);
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const pad = Math.max((highest - lowest) * 0.15, highest * 0.03);
  const first = new Date(Math.min(...points.map(({ at }) => at.getTime())));
  const x = scaleUtc([first, now], [margin.left + 6, Math.max(width - margin.right, margin.left + 7)]);
  const y = scaleLinear([Math.max(0, lowest - pad), highest + pad], [HEIGHT - margin.bottom, margin.top]).nice(4);
  const path = line<PricePoint>(
    ({ at }) => x(at),
    ({ price }) => y(price),
  ).curve(curveStepAfter);
  const dashOf = sourcesOf(steps);
  const label = `Prices over time at ${[...dashOf.keys()].join(', ')}, from ${priceText(prices[0])} to ${priceText(prices.at(-1))}. The table has all of them.`;
  return (
    <Box ref={box}>
      {width > 0 ? (
        <Frame role="img" aria-label={label} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
          <PriceAxis y={y} width={width} />
          <BottomAxis
            ticks={[first, now]}
            x={(at) => Math.min(Math.max(x(at), 70), width - 40)}
            words={(at) => dayText(at, now)}
          />
          {steps.map((one) => (
            <g key={`${one.source} ${one.points[0]?.at.getTime()} ${one.isCurrent}`}>
              <Steps
                d={path(one.points) ?? ''}
                strokeDasharray={dashOf.get(one.source)}
                css={{ stroke: one.hasEnded ? 'muted' : 'brand' }}
              />
              {one.points.slice(0, one.hasEnded ? undefined : -1).map(({ at, price }) => (
                <Dot
                  key={at.getTime()}
                  cx={x(at)}
                  cy={y(price)}
                  r={4}
                  css={{ fill: one.hasEnded ? 'muted' : 'brand' }}
                />
              ))}
            </g>
          ))}
        </Frame>
      ) : (
        <Box h={`${HEIGHT}px`} />
      )}
      {dashOf.size > 1 ? <Legend dashOf={dashOf} /> : null}
    </Box>
  );
}

const LegendLine = chakra('line', { base: { stroke: 'brand', strokeWidth: '2' } });

function Legend({ dashOf }: { dashOf: ReadonlyMap<string, string> }) {
  return (
    <Flex as="ul" wrap="wrap" rowGap="1" columnGap="4" listStyleType="none" aria-label="Sources in the chart">
      {[...dashOf].map(([source, dash]) => (
        <Flex as="li" key={source} align="center" gap="2">
          <svg width="24" height="8" aria-hidden>
            <LegendLine x1="0" x2="24" y1="4" y2="4" strokeDasharray={dash} />
          </svg>
          <bdi>{source}</bdi>
        </Flex>
      ))}
    </Flex>
  );
}

const Scroll = chakra('div', { base: { maxH: '260px', overflowY: 'auto', borderRadius: 'chip' } });
/** A number is never broken. */
const PriceCell = chakra('td', { base: { whiteSpace: 'nowrap' } });
const MANY = 6;

function EventTable({ events, now }: { events: readonly PriceEvent[]; now: Date }) {
  const table = (
    <Table>
      <caption>All offers of this car and their prices</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Source</th>
          <th scope="col">What happened</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {events.map(({ at, source, what, price }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events may be equal, and the rows never change their order
          <tr key={index}>
            <td>{dayText(at, now)}</td>
            <td>
              <bdi>{source}</bdi>
            </td>
            <td>{what}</td>
            <PriceCell>{priceText(price)}</PriceCell>
          </tr>
        ))}
      </tbody>
    </Table>
  );
  return events.length <= MANY ? (
    table
  ) : (
    <Scroll tabIndex={0} role="region" aria-label="All offers of this car">
      {table}
    </Scroll>
  );
}
