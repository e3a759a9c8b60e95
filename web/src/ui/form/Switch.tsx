import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';

const Track = chakra('input', {
  base: {
    appearance: 'none',
    flexShrink: 0,
    position: 'relative',
    w: '40px',
    h: '24px',
    borderRadius: 'full',
    bg: 'fieldLine',
    cursor: 'pointer',
    transition: 'background 150ms',
    _before: {
      content: '""',
      position: 'absolute',
      top: '3px',
      left: '3px',
      w: '18px',
      h: '18px',
      borderRadius: 'full',
      bg: 'white',
      transition: 'transform 150ms',
    },
    // The finger's target is larger than the drawing.
    _after: { content: '""', position: 'absolute', inset: '-10px -4px' },
    _checked: { bg: 'brand', _before: { transform: 'translateX(16px)', bg: 'onBrand' } },
    // Forced colours remove backgrounds, so only the border and the knob remain.
    '@media (forced-colors: active)': {
      border: '1px solid ButtonText',
      _before: { top: '2px', left: '2px', bg: 'ButtonText', forcedColorAdjust: 'none' },
      _checked: { bg: 'Highlight', forcedColorAdjust: 'none', _before: { bg: 'HighlightText' } },
    },
    _disabled: { opacity: 0.5, cursor: 'not-allowed' },
  },
});

interface SwitchProps extends Omit<ComponentProps<typeof Track>, 'onChange' | 'checked'> {
  /** Name for screen readers; the switch has no text of its own. */
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** An on/off switch that acts at once. */
export function Switch({ label, checked, onChange, ...rest }: SwitchProps) {
  return (
    <Track
      type="checkbox"
      role="switch"
      aria-label={label}
      aria-checked={checked}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      {...rest}
    />
  );
}
