import { defineRecipe } from '@chakra-ui/react';

/** Buttons and links that look like buttons. On phones every one is at least 44 px high. */
export const buttonRecipe = defineRecipe({
  className: 'button',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '2',
    borderRadius: 'field',
    borderWidth: '1px',
    borderColor: 'transparent',
    fontWeight: '600',
    fontSize: 'sm',
    lineHeight: '1.2',
    textAlign: 'center',
    textDecoration: 'none',
    cursor: 'pointer',
    userSelect: 'none',
    transition: 'background 150ms, border-color 150ms, color 150ms',
    _disabled: { opacity: 0.55, cursor: 'not-allowed' },
    '& svg': { flexShrink: 0 },
  },
  variants: {
    variant: {
      solid: { bg: 'brand', color: 'onBrand', _hover: { bg: 'brandDeep' } },
      outline: {
        bg: 'panel',
        color: 'ink',
        // In dark mode a button differs from a panel by its border alone.
        borderColor: { base: 'line', _dark: 'fieldLine' },
        _hover: { borderColor: 'muted' },
      },
      ghost: { bg: 'transparent', color: 'ink', _hover: { bg: 'sunk' } },
      danger: { bg: 'bad', color: 'onBad', _hover: { opacity: 0.9 } },
      link: { color: 'brand', bg: 'transparent', _hover: { textDecoration: 'underline' } },
    },
    size: {
      sm: { minH: { base: '44px', md: '36px' }, px: '3' },
      md: { minH: { base: '44px', md: '40px' }, px: '3.5' },
      lg: { minH: '50px', px: '5', fontSize: 'md' },
      icon: { w: { base: '44px', md: '40px' }, h: { base: '44px', md: '40px' }, p: '0' },
      text: { minH: { base: '44px', md: '0' }, px: '0', borderRadius: 'chip' },
    },
  },
  defaultVariants: { variant: 'solid', size: 'md' },
});

export const cardRecipe = defineRecipe({
  className: 'card',
  base: {
    bg: 'panel',
    borderWidth: '1px',
    borderColor: 'line',
    borderRadius: 'card',
    boxShadow: 'card',
    minW: '0',
  },
  variants: {
    pad: { none: {}, sm: { p: '4' }, md: { p: { base: '4', md: '5' } }, lg: { p: { base: '5', md: '7' } } },
    edge: { line: {}, beam: { borderColor: 'beam' }, bad: { borderColor: 'bad' } },
  },
  defaultVariants: { pad: 'md', edge: 'line' },
});

/** Round: states and counts. `beam` is for new and live only. */
export const badgeRecipe = defineRecipe({
  className: 'badge',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    borderRadius: 'full',
    px: '2.5',
    minH: '22px',
    fontSize: '2xs',
    fontVariantNumeric: 'tabular-nums',
    fontWeight: '650',
    lineHeight: '1',
    whiteSpace: 'nowrap',
  },
  variants: {
    tone: {
      brand: { bg: 'brandSoft', color: 'brand' },
      quiet: { bg: 'sunk', color: 'muted' },
      beam: { bg: 'beamSoft', color: 'onBeamSoft' },
      bad: { bg: 'badSoft', color: 'bad' },
      outline: { borderWidth: '1px', borderColor: 'line', color: 'muted', letterSpacing: '0.06em' },
    },
  },
  defaultVariants: { tone: 'brand' },
});

/** Squarer: criteria of a match. */
export const chipRecipe = defineRecipe({
  className: 'chip',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1',
    borderRadius: 'chip',
    px: '2',
    minH: '22px',
    fontSize: '2xs',
    fontWeight: '600',
    lineHeight: '1',
    whiteSpace: 'nowrap',
  },
  variants: { tone: { met: { bg: 'brandSoft', color: 'brand' }, quiet: { bg: 'sunk', color: 'muted' } } },
  defaultVariants: { tone: 'met' },
});

export const inputRecipe = defineRecipe({
  className: 'input',
  base: {
    w: 'full',
    minH: '44px',
    px: '3.5',
    bg: 'panel',
    color: 'ink',
    borderWidth: '1px',
    borderColor: 'fieldLine',
    borderRadius: 'field',
    // Below 16 px iOS zooms into a field that takes focus.
    fontSize: { base: '1rem', md: 'md' },
    fontFamily: 'body',
    transition: 'border-color 150ms',
    _placeholder: { color: 'muted', opacity: 1 },
    _hover: { borderColor: 'muted' },
    _disabled: { bg: 'sunk', color: 'muted', cursor: 'not-allowed' },
    '&[aria-invalid=true]': { borderColor: 'bad', boxShadow: 'inset 0 0 0 1px var(--chakra-colors-bad)' },
  },
});

/** Headings: `size` sets the look, the element sets the level. */
export const headingRecipe = defineRecipe({
  className: 'heading',
  base: {
    fontFamily: 'heading',
    fontWeight: '650',
    letterSpacing: '-0.02em',
    color: 'ink',
    textWrap: 'balance',
    overflowWrap: 'anywhere',
  },
  variants: {
    size: {
      sm: { fontSize: 'md', lineHeight: '1.3', letterSpacing: '-0.01em' },
      md: { fontSize: 'lg', lineHeight: '1.25' },
      lg: { fontSize: 'xl', lineHeight: '1.2' },
      xl: { fontSize: '2xl', lineHeight: '1.15' },
      '2xl': { fontSize: { base: '2xl', md: '3xl' }, lineHeight: '1.1' },
      hero: { fontSize: { base: '2.625rem', md: '4xl' }, lineHeight: '1.08', letterSpacing: '-0.03em' },
    },
  },
  defaultVariants: { size: 'md' },
});
