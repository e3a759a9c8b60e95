import {
  createSystem,
  defaultBaseConfig,
  defineConfig,
  type RecipeDefinition,
  type RecipeRuntimeFn,
  type RecipeVariantRecord,
  type SystemContext,
  type SystemStyleObject,
} from '@chakra-ui/react';
import { type CSSObject, css as serialize } from '@emotion/react';
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

/** More are of sizes that change with what is shown; then it begins again. */
const MAX_KEPT = 1000;

/** Keeps what `make` gives for what is written alike. */
function once<T, Result>(make: (of: T) => Result): (of: T) => Result {
  const made = new Map<string, Result>();
  return (of) => {
    const key = typeof of === 'string' ? of : JSON.stringify(of);
    let result = made.get(key);
    if (result === undefined) {
      if (made.size >= MAX_KEPT) made.clear();
      result = make(of);
      made.set(key, result);
    }
    return result;
  };
}

/** The same for an object itself. */
function onceFor<T extends object, Result>(make: (of: T) => Result): (of: T) => Result {
  const made = new WeakMap<T, Result>();
  return (of) => {
    let result = made.get(of);
    if (result === undefined) {
      result = make(of);
      made.set(of, result);
    }
    return result;
  };
}

type Recipe = RecipeRuntimeFn<RecipeVariantRecord>;

function keepResults(recipe: Recipe): Recipe {
  const merge = onceFor((other: Recipe) => keepResults(recipe.merge(other)));
  return Object.assign(once(recipe), recipe, { merge });
}

/** With what Emotion makes of a style, it needs neither be serialized nor hashed again. */
const sheetsOf = onceFor((recipe: object) =>
  once((own: readonly SystemStyleObject[]) => serialize(engine.css(recipe, ...own) as CSSObject)),
);

/**
 * Chakra's engine with our tokens only: none of its ready-made recipes is shipped. Its factory compiles a recipe, hashes
 * and serializes the style, and looks at each property's name at every rendering of each element: here once for all.
 */
export const system: SystemContext = {
  ...engine,
  cva: onceFor((recipe: RecipeDefinition) => keepResults(engine.cva(recipe) as Recipe)) as typeof engine.cva,
  css: ((recipe: object, ...own: SystemStyleObject[]) => sheetsOf(recipe)(own)) as typeof engine.css,
  isValidProperty: once(engine.isValidProperty),
};
