import { Box, chakra, Flex } from '@chakra-ui/react';
import { scaleLinear } from 'd3-scale';
import { area, curveMonotoneX, line } from 'd3-shape';
import { type PointerEvent, type ReactNode, useId, useState } from 'react';
import type { ComparableCarsQuery } from '../../../gql/graphql.ts';
import { dollars, miles, priceText } from '../../../lib/text/amounts.ts';
import { LineDisclosure } from '../../../ui/parts/LineDisclosure.tsx';
import { BottomAxis, Frame, HEIGHT, margin, PriceAxis, Table, useWidth } from './chart-parts.tsx';

type Comparable = ComparableCarsQuery['comparableCars'];
type Point = Comparable['points'][number];

/** The car in question. */
export interface ThisCar {
  title: string;
  price?: number | null;
  mileage?: number | null;
  year?: number | null;
}

interface ScatterProps {
  car: ThisCar;
  comparable: Comparable;
}

const Band = chakra('path', { base: { fill: 'brandSoft' } });
const Middle = chakra('path', { base: { fill: 'none', stroke: 'brand', strokeWidth: '1.5', strokeDasharray: '5 4' } });
/** A car of the same model year is filled, another one is a ring. */
const Other = chakra('circle', {
  base: {
    stroke: 'muted',
    strokeWidth: '1.5',
    fill: 'transparent',
    '&[data-same]': { fill: 'muted', fillOpacity: '0.75' },
    '&[data-chosen]': { stroke: 'brand', fill: 'brand', strokeWidth: '3' },
  },
});
const Own = chakra('path', { base: { fill: 'ink', stroke: 'panel', strokeWidth: '1.5' } });
const OwnLine = chakra('line', { base: { stroke: 'ink', strokeWidth: '1.5', strokeDasharray: '2 3' } });

const diamond = (x: number, y: number, size: number) =>
  `M${x} ${y - size}l${size} ${size}l${-size} ${size}l${-size} ${-size}z`;
const thousands = (mileage: number) => (mileage === 0 ? '0 mi' : `${Math.round(mileage / 1000)}K mi`);
const wordsOf = ({ title, mileage, price }: Point) => `${title}, ${miles(mileage)}, ${dollars(price)}`;

function scalesOf(car: ThisCar, points: readonly Point[], band: Comparable['band'], width: number) {
  const farthest = Math.max(10_000, car.mileage ?? 0, ...points.map(({ mileage }) => mileage));
  const prices = [...points.map(({ price }) => price), ...band.flatMap(({ low, high }) => [low, high])];
  const all = car.price == null ? prices : [...prices, car.price];
  return {
    x: scaleLinear([0, farthest], [margin.left + 6, Math.max(width - margin.right - 6, margin.left + 7)]).nice(4),
    y: scaleLinear([Math.min(...all) * 0.9, Math.max(...all) * 1.05], [HEIGHT - margin.bottom, margin.top]).nice(4),
  };
}

/**
 * Price over mileage of the cars that a price is compared with, their band, and this car among them. One goes through the
 * cars with a slider, by key, or by pointing at them.
 */
export function Scatter({ car, comparable }: ScatterProps) {
  const sliderId = useId();
  const [box, width] = useWidth<HTMLDivElement>();
  const [chosen, setChosen] = useState<number | null>(null);
  const points = comparable.points.toSorted((a, b) => a.mileage - b.mileage);
  const { band } = comparable;
  const { x, y } = scalesOf(car, points, band, width);
  const bandArea = area<Comparable['band'][number]>(
    ({ mileage }) => x(mileage),
    ({ low }) => y(low),
    ({ high }) => y(high),
  ).curve(curveMonotoneX);
  const middle = line<Comparable['band'][number]>(
    (point) => x(point.mileage),
    (point) => y(point.middle),
  ).curve(curveMonotoneX);
  const shown = chosen === null ? undefined : points[chosen];

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const away = ({ mileage, price }: Point) =>
      Math.hypot(x(mileage) - (event.clientX - left), y(price) - (event.clientY - top));
    const nearest = points.reduce((best, one, index) => (away(one) < away(points[best] ?? one) ? index : best), 0);
    if (points[nearest] && away(points[nearest]) < 24) setChosen(nearest);
  };

  return (
    <Flex direction="column" gap="2">
      <Box ref={box}>
        {width > 0 ? (
          <Frame
            role="img"
            aria-label={`Price over mileage of ${points.length} similar cars, with this car among them. The table has all of them.`}
            height={HEIGHT}
            viewBox={`0 0 ${width} ${HEIGHT}`}
            onPointerMove={point}
            onPointerDown={point}
          >
            <Band d={bandArea(band) ?? ''} />
            <PriceAxis y={y} width={width} />
            <BottomAxis ticks={x.ticks(width < 420 ? 3 : 5)} x={x} words={thousands} />
            <Middle d={middle(band) ?? ''} />
            {points.map((one, index) => (
              <Other
                // biome-ignore lint/suspicious/noArrayIndexKey: two cars may be equal, and their order never changes
                key={index}
                cx={x(one.mileage)}
                cy={y(one.price)}
                r={index === chosen ? 5 : 3.5}
                data-same={one.year === car.year ? '' : undefined}
                data-chosen={index === chosen ? '' : undefined}
              />
            ))}
            {car.price == null ? null : car.mileage == null ? (
              <OwnLine x1={margin.left} x2={width - margin.right} y1={y(car.price)} y2={y(car.price)} />
            ) : (
              <Own d={diamond(x(car.mileage), y(car.price), 8)} />
            )}
          </Frame>
        ) : (
          <Box h={`${HEIGHT}px`} />
        )}
      </Box>
      <Key car={car} />
      {points.length > 0 ? (
        <Flex direction="column" gap="1">
          <label htmlFor={sliderId}>Go through the cars by mileage</label>
          <Slider
            id={sliderId}
            type="range"
            min={0}
            max={points.length - 1}
            step={1}
            value={chosen ?? 0}
            aria-valuetext={wordsOf(points[chosen ?? 0] ?? points[0] ?? { title: '', mileage: 0, price: 0, year: 0 })}
            onFocus={() => setChosen((now) => now ?? 0)}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
          />
          <Box aria-hidden color="ink" minH="2.6em" overflowWrap="anywhere">
            {shown ? <bdi>{wordsOf(shown)}</bdi> : 'Point at a car, or move the slider.'}
          </Box>
        </Flex>
      ) : null}
      <LineDisclosure summary="All cars in a table">
        <CarTable car={car} points={points} />
      </LineDisclosure>
    </Flex>
  );
}

const Slider = chakra('input', {
  base: { w: 'full', minH: { base: '44px', md: '24px' }, accentColor: 'brand', m: '0' },
});

/** What the marks mean. */
function Key({ car }: { car: ThisCar }) {
  return (
    <Flex as="ul" wrap="wrap" rowGap="1" columnGap="4" listStyleType="none" aria-label="Marks in the chart">
      <KeyItem text={car.mileage == null ? 'This car, mileage not stated' : 'This car'}>
        <Mark>{car.mileage == null ? <OwnLine x1="0" x2="16" y1="8" y2="8" /> : <Own d={diamond(8, 8, 6)} />}</Mark>
      </KeyItem>
      <KeyItem text={car.year == null ? 'Same model year' : `Model year ${car.year}`}>
        <Mark>
          <Other cx="8" cy="8" r="4" data-same="" />
        </Mark>
      </KeyItem>
      <KeyItem text="Up to 4 years older or newer">
        <Mark>
          <Other cx="8" cy="8" r="4" />
        </Mark>
      </KeyItem>
      <KeyItem text="80 of 100 cars like this one">
        <Mark>
          <Band d="M0 2h16v12h-16z" />
        </Mark>
      </KeyItem>
    </Flex>
  );
}

const Mark = ({ children }: { children: ReactNode }) => (
  <svg width="16" height="16" aria-hidden="true">
    {children}
  </svg>
);

function KeyItem({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Flex as="li" align="center" gap="1.5">
      {children}
      {text}
    </Flex>
  );
}

const Scroll = chakra('div', { base: { maxH: '320px', overflowY: 'auto', borderRadius: 'chip' } });

function CarTable({ car, points }: { car: ThisCar; points: readonly Point[] }) {
  return (
    <Scroll tabIndex={0} role="region" aria-label="Similar cars">
      <Table>
        <caption>This car and similar ones, by mileage</caption>
        <thead>
          <tr>
            <th scope="col">Car</th>
            <th scope="col">Mileage</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              <b>This car</b>
            </td>
            <td>{car.mileage == null ? 'Not stated' : miles(car.mileage)}</td>
            <td>{priceText(car.price)}</td>
          </tr>
          {points.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two cars may be equal, and their order never changes
            <tr key={index}>
              <td>
                <bdi>{one.title}</bdi>
              </td>
              <td>{miles(one.mileage)}</td>
              <td>{dollars(one.price)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Scroll>
  );
}
