import { chakra } from '@chakra-ui/react';
import { badgeRecipe, cardRecipe, chipRecipe, headingRecipe } from '../theme/recipes.ts';

/** A panel. `pad`: none | sm | md | lg; `edge`: line | beam (new) | bad. Use `as="article"` for list entries. */
export const Card = chakra('div', cardRecipe);

/** A round mark for states and counts. `tone`: brand | quiet | beam (new and live only) | bad | outline. */
export const Badge = chakra('span', badgeRecipe);

/** A squarer mark for criteria. `tone`: met | quiet. */
export const Chip = chakra('span', chipRecipe);

/** A heading; give the level with `as`. `size`: sm 15 | md 19 | lg 22 | xl 30 | 2xl 38 | hero 62. */
export const Heading = chakra('h2', headingRecipe);

/** A quiet line of text. */
export const Muted = chakra('p', { base: { color: 'muted', fontSize: 'sm', textWrap: 'pretty' } });
