import type { Page } from 'playwright-core';
import type { Person } from '../browser/session.ts';
import type { SpecWords } from './spec-texts.ts';
import type { Fixtures } from './visits/fixtures.ts';

/** Phones are 390 × 844, desktops 1280 × 900. */
export type Size = 'phone' | 'desktop';

/**
 * The user who opens the page: a `visitor` without account, the `user` on Starter with alerts and matches, an `empty` one
 * on Free without data, a `full` one on Free whose one alert is used, the `admin`, or a `new` user for states that change
 * the account (e-mail `NAME@example.com`, password `PASSWORD` of `browser/session.ts`).
 */
export type Who = 'visitor' | 'user' | 'empty' | 'full' | 'admin' | 'new';

/**
 * A page in one condition, as a picture shows it. `prepare` and `act` find elements by type, name attribute or role, not
 * by the texts that the state asserts; otherwise one missing text would fail all rows of the state.
 */
export interface State {
  /** `page/condition` in kebab-case: `dashboard/alerts-failed`. */
  name: string;
  who: Who;
  /** The path of the page; ids of alerts come from the fixtures. */
  path: string | ((fixtures: Fixtures) => string);
  /** The texts of `spec-texts.ts` that it shows together. The visit waits for them and reports missing ones. */
  texts: readonly SpecWords[];
  /** Other texts that the visit waits for: whole texts or labels of elements, or parts of them as a pattern. */
  also?: readonly (string | RegExp)[];
  /** The sizes in which it must be visited; otherwise the test chooses. */
  sizes?: readonly Size[];
  /** A first visit, without a cookie choice. */
  firstVisit?: true;
  /** The state shows only a spinner and needs no heading. */
  hasNoHeading?: true;
  /** The state changes its page for good, so it needs a new one; other states reuse pages. */
  ownPage?: true;
  /** Visited in `npm run test:all` only, as another state and unit tests show the same. */
  isLong?: true;
  /** Console output that the state causes on purpose. */
  expected?: RegExp;
  /** Runs before the page is opened: `failing()` and `holding()` of `browser/`, session storage. */
  prepare?(page: Page, fixtures: Fixtures, me: Person): Promise<unknown>;
  /** Runs after it was opened: types and clicks. */
  act?(page: Page, fixtures: Fixtures, me: Person): Promise<unknown>;
}
