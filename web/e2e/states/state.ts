import type { Page } from 'playwright-core';
import type { Person } from '../browser/session.ts';
import type { SpecWords } from './spec-texts.ts';
import type { World } from './tour/world.ts';

/** Phones are 390 × 844, desktops 1280 × 900. */
export type Size = 'phone' | 'desktop';

/**
 * Who looks: a `visitor` without account, the `user` on Starter with alerts and matches, an `empty` one on Free with
 * nothing, a `full` one on Free whose one alert is used, the `admin`, or someone `new` for states that change their
 * account (e-mail `NAME@example.com`, password `PASSWORD` of `browser/session.ts`).
 */
export type Who = 'visitor' | 'user' | 'empty' | 'full' | 'admin' | 'new';

/**
 * A page in one condition, as a picture shows it. `prepare` and `act` find things by
 * type, name attribute or role, not by the texts that the state asserts: else one lost text fails all the state's rows.
 */
export interface State {
  /** `page/condition` in kebab-case: `dashboard/alerts-failed`. */
  name: string;
  who: Who;
  /** Where it begins; alerts' ids are the world's. */
  path: string | ((world: World) => string);
  /** The texts of `spec-texts.ts` that it shows at the same time. The visit waits for them, and notes which never came. */
  texts: readonly SpecWords[];
  /** More that is waited for: whole texts of elements or their labels, or parts of them as a pattern. */
  also?: readonly (string | RegExp)[];
  /** Those that it must be seen in; else the tour chooses. */
  sizes?: readonly Size[];
  /** Comes for the first time: no choice of cookies is stored. */
  firstVisit?: true;
  /** Only a spinner yet: it has no heading, and need not. */
  headless?: true;
  /** Does to its page what can't be undone; others are opened in pages that were used before. */
  ownPage?: true;
  /** Words on the console that the state brings about on purpose. */
  expected?: RegExp;
  /** Before the page is opened: `failing()` and `holding()` of `browser/`, session storage. */
  prepare?(page: Page, world: World, me: Person): Promise<unknown>;
  /** After it was opened: what is typed and clicked. */
  act?(page: Page, world: World, me: Person): Promise<unknown>;
}
