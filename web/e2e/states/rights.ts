import type { Page } from 'playwright-core';
import { failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import { PASSWORD } from '../browser/session.ts';
import { deletionStates } from './deletions.ts';
import type { State } from './state.ts';

const deletion = '/data-rights?tab=deletion';
const givePassword = 'mutation ($password: String!) { confirmPassword(currentPassword: $password) { message } }';

/** The click scrolls the page on a phone, where the header would cover a part of the tabs. */
const download = async (page: Page) => {
  await page.getByRole('tabpanel').getByRole('button').click();
  await page.evaluate('scrollTo({ top: 0, behavior: "instant" })');
};

const fill = async (page: Page, reason = 'I found my car.') => {
  await page.locator('textarea[name=reason]').fill(reason);
  await page.locator('input[name=confirmed]').check();
};
const send = (page: Page) => page.locator('button[type=submit]').click();

/** A user whose request the admin has decided. */
const decided =
  (status: 'approved' | 'rejected', notes: string): State['prepare'] =>
  async (_page, fixtures, me) => {
    await me.ask('mutation { requestDeletion(reason: "I found my car.") { id } }');
    await fixtures.pool.query(`update deletion_requests set status = $1, notes = $2 where username = $3`, [
      status,
      notes,
      me.name,
    ]);
  };

const dataRightsStates: readonly State[] = [
  {
    name: 'data-rights/download',
    who: 'user',
    path: '/data-rights',
    texts: ['Download Your Data', 'Request Deletion'],
    also: ['Right of Access', 'Right to Object', 'Download JSON'],
  },
  {
    name: 'data-rights/exporting',
    who: 'user',
    path: '/data-rights',
    texts: [],
    also: ['Preparing your data...'],
    prepare: (page) => holding(page, 'ExportMyData'),
    act: download,
  },
  {
    name: 'data-rights/exported',
    who: 'user',
    path: '/data-rights',
    texts: [],
    also: [/^Saved as lotwatch-data-ana-\d{4}-\d{2}-\d{2}\.json$/],
    // Other states may have used this user for more than ten minutes.
    prepare: (_page, _world, me) => me.ask(givePassword, { password: PASSWORD }),
    act: download,
  },
  {
    name: 'data-rights/export-failed',
    who: 'user',
    path: '/data-rights',
    texts: ['Export failed'],
    also: [INTERNAL_ERROR.message],
    prepare: (page) => failing(page, 'ExportMyData', INTERNAL_ERROR),
    act: download,
  },
  { name: 'data-rights/deletion', who: 'empty', path: deletion, texts: [], also: ['Erase your account', '(required)'] },
  {
    name: 'data-rights/deletion-loading',
    isLong: true,
    who: 'empty',
    path: deletion,
    texts: [],
    also: ['Loading your requests'],
    prepare: (page) => holding(page, 'MyDeletionRequests'),
  },
  {
    name: 'data-rights/deletion-unknown',
    isLong: true,
    who: 'empty',
    path: deletion,
    texts: ['Try Again'],
    also: ['Your requests could not be loaded'],
    prepare: (page) => failing(page, 'MyDeletionRequests', INTERNAL_ERROR),
  },
  {
    name: 'data-rights/reason-required',
    who: 'empty',
    path: deletion,
    texts: ['Reason required', 'Please provide a reason for your deletion request.'],
    also: ['Please confirm that you understand this.'],
    act: send,
  },
  {
    // The delayed call reaches the server when the page is left, so the user is not shared.
    name: 'data-rights/requesting',
    who: 'new',
    path: deletion,
    texts: [],
    also: ['Sending your request...'],
    prepare: (page) => failing(page, 'RequestDeletion', 'hanging'),
    act: async (page) => {
      await fill(page);
      await send(page);
    },
  },
  {
    name: 'data-rights/request-failed',
    who: 'empty',
    path: deletion,
    texts: ['Request failed'],
    also: [INTERNAL_ERROR.message],
    prepare: (page) => failing(page, 'RequestDeletion', INTERNAL_ERROR),
    act: async (page) => {
      await fill(page);
      await send(page);
    },
  },
  {
    name: 'data-rights/submitted',
    who: 'new',
    path: deletion,
    texts: ['Request submitted'],
    also: [/^DR-[A-Z2-9]{6}$/, /will be processed within 30 days\.$/, 'Pending'],
    act: async (page) => {
      await fill(page);
      await send(page);
    },
  },
  {
    name: 'data-rights/approved',
    who: 'new',
    path: deletion,
    texts: [],
    also: ['Approved', 'Your request is approved. Your account and all its data will be erased soon.'],
    prepare: decided('approved', ''),
  },
  {
    name: 'data-rights/rejected',
    isLong: true,
    who: 'new',
    path: deletion,
    texts: [],
    also: ['Rejected', 'A note on your request', 'Erase your account'],
    prepare: decided('rejected', 'You still have a paid plan. Please end it first, then ask again.'),
  },
];

/** Data rights, with the admin's view of them. */
export const rightsStates: readonly State[] = [...dataRightsStates, ...deletionStates];
