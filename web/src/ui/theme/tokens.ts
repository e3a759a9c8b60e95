import { defineSemanticTokens, defineTokens } from '@chakra-ui/react';

const steps = [0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 56, 64];
const grid = Object.fromEntries(steps.map((step) => [String(step), { value: `${step * 0.25}rem` }]));

/** A 4-px grid, the type scale of the design, and our own radii. */
export const tokens = defineTokens({
  spacing: grid,
  sizes: {
    ...grid,
    full: { value: '100%' },
    content: { value: '1200px' },
    form: { value: '720px' },
    side: { value: '220px' },
    target: { value: '44px' },
  },
  fonts: {
    body: { value: '"Inter Variable", "Inter Fallback", system-ui, sans-serif' },
    heading: { value: '"Bricolage Grotesque Variable", "Bricolage Fallback", system-ui, sans-serif' },
    mono: { value: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace' },
  },
  fontSizes: {
    '2xs': { value: '0.75rem' },
    xs: { value: '0.8125rem' },
    sm: { value: '0.875rem' },
    md: { value: '0.9375rem' },
    lg: { value: '1.1875rem' },
    xl: { value: '1.375rem' },
    '2xl': { value: '1.875rem' },
    '3xl': { value: '2.375rem' },
    '4xl': { value: '3.875rem' },
  },
  radii: {
    chip: { value: '8px' },
    field: { value: '12px' },
    photo: { value: '12px' },
    card: { value: '18px' },
    full: { value: '999px' },
  },
  zIndex: {
    bar: { value: 20 },
    pop: { value: 30 },
    modal: { value: 40 },
    toast: { value: 50 },
    skip: { value: 60 },
  },
});

const pair = (light: string, dark: string) => ({ value: { base: light, _dark: dark } });

/** The ink-green lot, the warm paper and the one amber beam, in light and dark. */
export const semanticTokens = defineSemanticTokens({
  colors: {
    bg: pair('#F7F6F2', '#0C1413'),
    panel: pair('#FFFFFF', '#131E1D'),
    sunk: pair('#EFEDE6', '#0F1918'),
    ink: pair('#12201F', '#E9F0EE'),
    muted: pair('#56645F', '#9DB0AB'),
    line: pair('#DEDBD1', '#243331'),
    fieldLine: pair('#88928F', '#71807C'),
    brand: pair('#0B5D57', '#57C9BC'),
    brandDeep: pair('#094C47', '#74D6CA'),
    onBrand: pair('#FFFFFF', '#06211E'),
    brandSoft: pair('#DDEFEA', '#15312E'),
    beam: pair('#F6B02C', '#FFC04D'),
    beamSoft: pair('#FDF0D2', '#33270D'),
    onBeamSoft: pair('#5F3D00', '#FFD995'),
    good: pair('#1B7340', '#5FD08A'),
    bad: pair('#B3261E', '#FF8A80'),
    badSoft: pair('#FBE9E7', '#331715'),
    onBad: pair('#FFFFFF', '#2B0805'),
    shade: pair('rgb(18 32 31 / 45%)', 'rgb(0 0 0 / 62%)'),
  },
  shadows: {
    card: pair(
      '0 1px 2px rgb(18 32 31 / 5%), 0 4px 14px rgb(18 32 31 / 5%)',
      '0 1px 2px rgb(0 0 0 / 30%), 0 4px 14px rgb(0 0 0 / 22%)',
    ),
    pop: pair(
      '0 4px 12px rgb(18 32 31 / 10%), 0 16px 40px rgb(18 32 31 / 14%)',
      '0 4px 12px rgb(0 0 0 / 40%), 0 16px 40px rgb(0 0 0 / 50%)',
    ),
  },
});
