import type { Page } from 'playwright-core';
import { appCode } from '../../../api/test/browser.ts';
import { failing } from '../browser/faults.ts';
import { PASSWORD, type Person } from '../browser/session.ts';
import type { State } from './state.ts';
import type { Fixtures } from './visits/fixtures.ts';

const page = { path: '/settings/two-step', texts: [], who: 'new' } as const;

/** Turns it on over the API, as the page does. */
async function turnOn(_page: Page, _fixtures: Fixtures, me: Person): Promise<void> {
  const { startSecondFactor } = await me.ask<{ startSecondFactor: { secret: string } }>(
    'mutation { startSecondFactor { secret } }',
  );
  const code = appCode(startSecondFactor.secret);
  await me.ask('mutation ($code: String!) { confirmSecondFactor(code: $code) { codes } }', { code });
}

const begin = (page: Page) => page.locator('section[aria-labelledby=two-step-off]').getByRole('button').click();

export const secondFactorStates: readonly State[] = [
  { ...page, name: 'two-step/off', isLong: true, also: ['Two-step sign-in is off', 'Set Up'] },
  { ...page, name: 'two-step/app', also: ['Add LotWatch to your app', 'Turn On'], act: begin },
  { ...page, name: 'two-step/on', also: ['Two-step sign-in is on', /10 recovery codes left/], prepare: turnOn },
  {
    ...page,
    name: 'two-step/turning-off',
    also: ['From then on your password alone signs you in.'],
    prepare: turnOn,
    act: (page) => page.locator('section[aria-labelledby=two-step-on]').getByRole('button').last().click(),
  },
  {
    ...page,
    name: 'two-step/signing-in',
    path: '/auth',
    who: 'visitor',
    also: ['Your account requires a second step.'],
    prepare: (page) => failing(page, 'Login', { message: 'Please enter the code.', code: 'CODE_NEEDED' }),
    act: async (page) => {
      await page.locator('input[name=username]').fill('carbuyer');
      await page.locator('input[name=password]').fill(PASSWORD);
      await page.locator('form button[type=submit]').click();
    },
  },
];
