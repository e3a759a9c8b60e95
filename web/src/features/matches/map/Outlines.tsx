import { chakra } from '@chakra-ui/react';
import type { ZoomTransform } from 'd3-zoom';
import { memo, useId } from 'react';
import type { Size } from './use-map-view.ts';
import type { Outlines as OutlinesData } from './use-outlines.ts';

const Drawing = chakra('svg', {
  base: {
    position: 'absolute',
    inset: '0',
    pointerEvents: 'none',
    '--map-land': '#F3F1EA',
    '--map-lit': '#FFFFFF',
    '--map-beyond': '#E2E1D9',
    '--map-lit-beyond': '#EEEDE7',
    '--map-line': '#C9C5B8',
    '--map-county': '#E0DCD0',
    _dark: {
      '--map-land': '#101C1A',
      '--map-lit': '#1A2927',
      '--map-beyond': '#0A1110',
      '--map-lit-beyond': '#101A19',
      '--map-line': '#3D524E',
      '--map-county': '#2A3B38',
    },
  },
});

interface OutlinesProps {
  outlines: OutlinesData;
  transform: ZoomTransform;
  size: Size;
  /** Of the circle, in miles. */
  radius: number;
}

/** States, counties and the circle, which is lit like what a headlight falls on. */
export function Outlines({ outlines, transform, size, radius }: OutlinesProps) {
  const clip = useId();
  const { x, y, k } = transform;
  return (
    <Drawing width={size.width} height={size.height} aria-hidden>
      <defs>
        <clipPath id={clip}>
          <circle cx={x} cy={y} r={radius * k} />
        </clipPath>
      </defs>
      <rect width={size.width} height={size.height} fill="var(--map-beyond)" />
      <g transform={`translate(${x} ${y}) scale(${k})`}>
        <Land outlines={outlines} fill="var(--map-land)" />
      </g>
      <g clipPath={`url(#${clip})`}>
        <rect width={size.width} height={size.height} fill="var(--map-lit-beyond)" />
        <g transform={`translate(${x} ${y}) scale(${k})`}>
          <Land outlines={outlines} fill="var(--map-lit)" />
        </g>
      </g>
      <g transform={`translate(${x} ${y}) scale(${k})`}>
        <Lines outlines={outlines} />
      </g>
      <Circle cx={x} cy={y} r={radius * k} />
    </Drawing>
  );
}

const Circle = chakra('circle', { base: { fill: 'none', stroke: 'brand', strokeWidth: '1.75px' } });

const Land = memo(function Land({ outlines, fill }: { outlines: OutlinesData; fill: string }) {
  return <path d={outlines.states?.land} fill={fill} />;
});

const line = { fill: 'none', vectorEffect: 'non-scaling-stroke', strokeLinejoin: 'round' } as const;

const Lines = memo(function Lines({ outlines: { states, details } }: { outlines: OutlinesData }) {
  return (
    <>
      {details.map(({ id, counties }) => (
        <path key={id} d={counties} {...line} stroke="var(--map-county)" strokeWidth="1" />
      ))}
      <path d={states?.coasts} {...line} stroke="var(--map-line)" strokeWidth="1" />
      <path d={states?.borders} {...line} stroke="var(--map-line)" strokeWidth="1.5" />
    </>
  );
});
