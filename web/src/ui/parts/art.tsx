import { useId } from 'react';

interface CarProps {
  /** A colour slug of the product; paints the body. */
  color?: string | null | undefined;
}

const paints: Record<string, string> = {
  black: '#2b3231',
  white: '#f1f2f0',
  silver: '#b9c1c4',
  gray: '#8b9494',
  blue: '#3d6a94',
  red: '#8a2f2b',
  green: '#3f6f58',
  yellow: '#d9b13a',
  orange: '#c9732e',
  brown: '#6f5340',
  gold: '#b59a55',
  beige: '#cfc3a8',
  purple: '#6a527f',
};

/** A car from the side, 0–240 × 0–90, with its wheels on y = 84. */
export function Car({ color }: CarProps) {
  const body = paints[color ?? ''] ?? '#a9b4b2';
  return (
    <g>
      <ellipse cx="120" cy="85" rx="112" ry="5" fill="#000" opacity="0.16" />
      <path
        d="M12 82c-6 0-8-4-8-10v-12c0-10 8-15 24-17l26-4c14-14 26-25 42-29 8-2 16-2 26-2 24 0 34 4 48 14 10 7 18 14 26 19 22 2 36 6 40 12 3 5 4 14 4 21 0 5-3 8-8 8z"
        fill={body}
      />
      <path d="M66 41c12-11 22-19 34-22 7-2 13-2 20-2v24z" fill="#dbe7ea" />
      <path d="M128 17c18 0 28 3 38 10 6 4 12 9 17 14h-55z" fill="#dbe7ea" />
      <rect x="222" y="50" width="15" height="8" rx="4" fill="var(--chakra-colors-beam)" />
      <rect x="4" y="52" width="9" height="8" rx="3" fill="#b3463c" />
      <g fill="#1d2524">
        <circle cx="56" cy="76" r="15" />
        <circle cx="184" cy="76" r="15" />
      </g>
      <g fill="#c3cbcb">
        <circle cx="56" cy="76" r="6.5" />
        <circle cx="184" cy="76" r="6.5" />
      </g>
    </g>
  );
}

/** Replaces a missing or broken photo; fills its box. */
export function CarPlaceholder({ color }: CarProps) {
  return (
    <svg
      viewBox="0 0 320 240"
      width="100%"
      height="100%"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label="No photo"
    >
      <defs>
        <linearGradient id="lot-sky" x1="0" y1="0" x2="0.25" y2="1">
          <stop offset="0" stopColor="#c8d9db" />
          <stop offset="0.62" stopColor="#e6e1d5" />
          <stop offset="1" stopColor="#c0b6a6" />
        </linearGradient>
      </defs>
      <rect width="320" height="240" fill="url(#lot-sky)" />
      <g transform="translate(40 108)">
        <Car color={color} />
      </g>
    </svg>
  );
}

/** Our headlight, `size` high and wide. */
function Headlight({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size / 60})`}>
      <rect width="60" height="60" rx="15" fill="var(--chakra-colors-brand)" />
      <circle cx="23" cy="30" r="11" fill="none" stroke="var(--chakra-colors-on-brand)" strokeWidth="6" />
      <path d="M41 18h12M41 30h12M41 42h12" stroke="var(--chakra-colors-beam)" strokeWidth="5" strokeLinecap="round" />
    </g>
  );
}

/** Its light, which fades to the right. */
function Beam({ d }: { d: string }) {
  const id = useId();
  return (
    <>
      <linearGradient id={id} x1="0" x2="1">
        <stop offset="0" stopColor="var(--chakra-colors-beam)" stopOpacity="0.6" />
        <stop offset="1" stopColor="var(--chakra-colors-beam)" stopOpacity="0.05" />
      </linearGradient>
      <path d={d} fill={`url(#${id})`} />
    </>
  );
}

/** An empty parking lot with one headlight sweeping it: nothing found yet. */
export function EmptyLot() {
  return (
    <svg viewBox="0 0 240 120" width="100%" aria-hidden="true">
      <path d="M8 104h224" stroke="var(--chakra-colors-line)" strokeWidth="3" strokeLinecap="round" />
      <Beam d="M88 60 234 24v80L88 80z" />
      <g stroke="var(--chakra-colors-field-line)" strokeWidth="3" strokeLinecap="round" strokeDasharray="2 9">
        <path d="M120 104 138 52M164 104l10-52M208 104l2-52" />
      </g>
      <Headlight x={30} y={40} size={60} />
    </svg>
  );
}

/** A car that stopped: something went wrong. */
export function StalledCar() {
  return (
    <svg viewBox="0 0 240 120" width="100%" aria-hidden="true">
      <path d="M8 111h224" stroke="var(--chakra-colors-line)" strokeWidth="3" strokeLinecap="round" />
      <g transform="translate(20 36) scale(0.8 0.86)">
        <Car color="gray" />
      </g>
      <g fill="none" stroke="var(--chakra-colors-field-line)" strokeWidth="3" strokeLinecap="round">
        <path d="M186 50c-6-7 6-10 0-18M200 46c-6-7 6-10 0-18" />
      </g>
      <path d="M222 84 234 108h-24z" fill="var(--chakra-colors-beam)" />
    </svg>
  );
}

/** A parked car in the beam of our headlight. */
export function HeadlightScene() {
  return (
    <svg viewBox="0 0 460 240" width="100%" aria-hidden="true">
      <rect width="460" height="240" rx="18" fill="var(--chakra-colors-sunk)" />
      <Beam d="M96 118 460 40v160L96 142z" />
      <path d="M0 196h460" stroke="var(--chakra-colors-line)" strokeWidth="2" />
      <g transform="translate(196 112)">
        <Car color="silver" />
      </g>
      <Headlight x={44} y={96} size={68} />
    </svg>
  );
}

/** A letter in the beam of a headlight: the message is on its way. */
export function Envelope() {
  return (
    <svg viewBox="0 0 240 120" width="100%" aria-hidden="true">
      <Beam d="M56 56 222 14v92L56 72z" />
      <Headlight x={14} y={40} size={48} />
      <g strokeWidth="3" strokeLinejoin="round" strokeLinecap="round" transform="rotate(-6 158 62)">
        <rect
          x="114"
          y="34"
          width="88"
          height="58"
          rx="8"
          fill="var(--chakra-colors-panel)"
          stroke="var(--chakra-colors-brand)"
        />
        <path d="m117 40 41 30 41-30" fill="none" stroke="var(--chakra-colors-brand)" />
      </g>
    </svg>
  );
}
