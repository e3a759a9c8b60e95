import { Car } from '../../ui/parts/art.tsx';

/** The lot at night: our headlight finds one car among many. */
export function LotScene() {
  return (
    <svg viewBox="0 0 620 176" width="100%" aria-hidden="true">
      <defs>
        <linearGradient id="lot-scene-beam" x1="0" x2="1">
          <stop offset="0" stopColor="#FFC04D" stopOpacity="0.75" />
          <stop offset="0.7" stopColor="#FFC04D" stopOpacity="0.2" />
          <stop offset="1" stopColor="#FFC04D" stopOpacity="0" />
        </linearGradient>
      </defs>
      <g opacity="0.5" style={{ filter: 'brightness(0.32) saturate(0.5)' }}>
        <g transform="translate(96 60) scale(0.52)">
          <Car color="blue" />
        </g>
        <g transform="translate(216 60) scale(0.52)">
          <Car color="white" />
        </g>
        <g transform="translate(336 60) scale(0.52)">
          <Car color="red" />
        </g>
        <g transform="translate(456 60) scale(0.52)">
          <Car color="gray" />
        </g>
      </g>
      <path d="M0 168h620" stroke="#243331" strokeWidth="2" />
      <path d="M54 126 620 44v122H300L54 146z" fill="url(#lot-scene-beam)" />
      <g transform="translate(286 86) scale(0.94)">
        <Car color="silver" />
      </g>
      <rect x="2" y="112" width="52" height="52" rx="13" fill="#57C9BC" />
      <circle cx="20.5" cy="138" r="8" fill="none" stroke="#06211E" strokeWidth="5" />
      <path d="M35 129h10M35 138h10M35 147h10" stroke="#FFC04D" strokeWidth="4.2" strokeLinecap="round" />
    </svg>
  );
}
