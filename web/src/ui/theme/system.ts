import {
  createSystem,
  defaultBaseConfig,
  defineConfig,
  type RecipeDefinition,
  type RecipeRuntimeFn,
  type RecipeVariantRecord,
} from '@chakra-ui/react';
import { semanticTokens, tokens } from './tokens.ts';

const config = defineConfig({
  preflight: true,
  cssVarsPrefix: 'chakra',
  globalCss: {
    ':root': { '--focus-ring': 'var(--chakra-colors-brand)' },
    html: {
      bg: 'bg',
      color: 'ink',
      fontFamily: 'body',
      fontSize: '100%',
      lineHeight: '1.5',
      scrollPaddingTop: '5rem',
      // Below a phone's bar the focus would not be seen.
      scrollPaddingBottom: { base: '5rem', lg: '0' },
      '&:has([data-covers-foot])': { scrollPaddingBottom: { base: '9.5rem', lg: '5.5rem' } },
    },
    body: { bg: 'bg', color: 'ink', fontSize: 'md', overflowX: 'clip' },
    'h1, h2, h3': { fontFamily: 'heading' },
    'a, button, input, select, textarea, summary, [tabindex]': {
      _focusVisible: { outline: '2px solid var(--focus-ring)', outlineOffset: '2px' },
    },
    'main:focus-visible': { outline: 'none' },
    '::selection': { bg: 'brandSoft' },
  },
  theme: {
    breakpoints: { sm: '30rem', md: '48rem', lg: '64rem', xl: '80rem' },
    tokens,
    semanticTokens,
    keyframes: {
      pulse: { '50%': { opacity: '0.5' } },
      spin: { to: { transform: 'rotate(360deg)' } },
      beam: { '0%': { transform: 'scale(0.6)', opacity: '0.7' }, '100%': { transform: 'scale(1)', opacity: '0' } },
      slideIn: { from: { opacity: '0', transform: 'translateY(-12px)' } },
      toastIn: { from: { opacity: '0', transform: 'translateY(12px)' } },
      fadeIn: { from: { opacity: '0' } },
      fill: { from: { transform: 'scaleX(0)' } },
      appear: { from: { visibility: 'hidden' }, to: { visibility: 'visible' } },
    },
  },
});

const engine = createSystem(defaultBaseConfig, config);
const compiled = new WeakMap<object, unknown>();

/** Chakra's factory compiles a component's recipe at every render of each instance: here once for all of them. */
function compileOnce<T extends RecipeVariantRecord>(recipe: RecipeDefinition<T>): RecipeRuntimeFn<T> {
  const known = compiled.get(recipe) as RecipeRuntimeFn<T> | undefined;
  if (known) return known;
  const made = engine.cva(recipe);
  compiled.set(recipe, made);
  return made;
}

/** Chakra's engine with our tokens only: none of its ready-made recipes is shipped. */
export const system = { ...engine, cva: compileOnce };
