import { chakra } from '@chakra-ui/react';
import { encode } from 'uqr';

/** Modules of white around it, which readers need. Source: ISO/IEC 18004. */
const QUIET_ZONE = 4;

/** A text as a QR code, black on white in dark mode too. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const whole = size + 2 * QUIET_ZONE;
  return (
    <chakra.svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_ZONE} ${-QUIET_ZONE} ${whole} ${whole}`}
      w="200px"
      h="200px"
      flexShrink={0}
      bg="#fff"
      borderRadius="field"
      shapeRendering="crispEdges"
    >
      <path fill="#000" d={path} />
    </chakra.svg>
  );
}
