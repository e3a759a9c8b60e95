import type { Page } from 'playwright-core';
import { answering, failing, holding, INTERNAL_ERROR } from '../browser/faults.ts';
import type { State } from './state.ts';

const path = '/admin?tab=deletions';

const request = (id: number, status: string, more: Record<string, unknown> = {}) => ({
  __typename: 'DeletionRequest',
  id: String(id),
  requestId: ['DR-7F3K2Q', 'DR-M4XTWA', 'DR-Q9HZ5B', 'DR-2CVN8K'][id - 1],
  userId: String(id + 11),
  username: ['ana', 'ben.hartmann', 'a-very-long-username-of-forty-characters', 'dora'][id - 1],
  reason: 'I bought a car in the meantime, thank you, and I no longer need the alerts that I made.',
  status,
  notes: null,
  createdAt: `2026-11-0${id}T12:00:00.000Z`,
  decisions: status === 'pending' ? ['approved', 'rejected'] : [],
  ...more,
});

const pending = [request(2, 'pending', { reason: 'No longer needed' }), request(1, 'pending')];
const approved = [request(3, 'approved', { notes: 'Checked by phone.' })];
const all = [
  request(4, 'completed', { username: null, reason: null }),
  ...approved,
  request(2, 'rejected', { notes: 'Has a paid plan.' }),
  request(1, 'pending'),
];

/** Answers with the same list on every visit, whatever other states have requested. */
const listing = (page: Page, deletionRequests: readonly unknown[]) =>
  answering(page, 'DeletionRequests', { deletionRequests });

const click = (page: Page, nth: number) => page.getByRole('tabpanel').last().getByRole('button').nth(nth).click();
const choose = (page: Page, value: string) => page.locator('dialog select').selectOption(value);
const confirm = (page: Page) =>
  page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button').last().click();

/** The admin's view of deletion requests. */
export const deletionStates: readonly State[] = [
  {
    name: 'admin/deletions',
    who: 'admin',
    path,
    texts: ['pending', 'approved', 'rejected', 'completed', 'all', 'Update', 'MMM d, yyyy'],
    also: ['2 pending requests', 'DR-M4XTWA', 'I bought a car in the meantime, thank you, and I n...'],
    prepare: (page) => listing(page, pending),
  },
  {
    name: 'admin/deletions-approved',
    // As the list of all requests, which has an approved one.
    isLong: true,
    who: 'admin',
    path: `${path}&status=approved`,
    texts: ['Execute'],
    also: ['1 approved request'],
    prepare: (page) => listing(page, approved),
  },
  {
    name: 'admin/deletions-all',
    isLong: true,
    who: 'admin',
    path: `${path}&status=all`,
    texts: [],
    also: ['4 requests', 'deleted user 15', 'Completed'],
    prepare: (page) => listing(page, all),
  },
  {
    name: 'admin/deletions-empty',
    isLong: true,
    who: 'admin',
    path,
    texts: [],
    also: ['No pending requests', 'No request is waiting for a decision.'],
    prepare: (page) => listing(page, []),
  },
  {
    name: 'admin/deletions-loading',
    isLong: true,
    who: 'admin',
    path,
    texts: [],
    also: ['Loading the deletion requests'],
    prepare: (page) => holding(page, 'DeletionRequests'),
  },
  {
    name: 'admin/deletions-failed',
    isLong: true,
    who: 'admin',
    path,
    texts: ['Try Again'],
    also: ['The requests could not be loaded'],
    prepare: (page) => failing(page, 'DeletionRequests', INTERNAL_ERROR),
  },
  {
    name: 'admin/deletion-update',
    who: 'admin',
    path,
    texts: ['Cancel'],
    also: ['Update Deletion Request', 'Select a status', 'ana (12)'],
    prepare: (page) => listing(page, [request(1, 'pending')]),
    act: (page) => click(page, 0),
  },
  {
    name: 'admin/deletion-update-refused',
    who: 'admin',
    path,
    texts: [],
    also: ['Please select a status.'],
    prepare: (page) => listing(page, [request(1, 'pending')]),
    act: async (page) => {
      await click(page, 0);
      await confirm(page);
    },
  },
  {
    name: 'admin/deletion-closed',
    who: 'admin',
    path: `${path}&status=rejected`,
    texts: [],
    also: ['This request is closed.', 'Has a paid plan.'],
    prepare: (page) => listing(page, [request(2, 'rejected', { notes: 'Has a paid plan.' })]),
    act: (page) => click(page, 0),
  },
  {
    name: 'admin/deletion-updated',
    who: 'admin',
    path,
    texts: ['Request updated'],
    prepare: async (page) => {
      await listing(page, [request(1, 'pending')]);
      await answering(page, 'UpdateDeletionRequest', { updateDeletionRequest: request(1, 'approved') });
    },
    act: async (page) => {
      await click(page, 0);
      await choose(page, 'approved');
      await confirm(page);
    },
  },
  {
    name: 'admin/deletion-update-failed',
    who: 'admin',
    path,
    texts: ['Update failed'],
    also: [INTERNAL_ERROR.message],
    prepare: async (page) => {
      await listing(page, [request(1, 'pending')]);
      await failing(page, 'UpdateDeletionRequest', INTERNAL_ERROR);
    },
    act: async (page) => {
      await click(page, 0);
      await choose(page, 'rejected');
      await confirm(page);
    },
  },
  {
    name: 'admin/deletion-prompt',
    who: 'admin',
    path: `${path}&status=approved`,
    texts: ["Are you sure you want to delete this user's data? This action cannot be undone.", 'Cancel'],
    prepare: (page) => listing(page, approved),
    act: (page) => click(page, 1),
  },
  {
    name: 'admin/deletion-executed',
    who: 'admin',
    path: `${path}&status=approved`,
    texts: ['Deletion executed'],
    prepare: async (page) => {
      await listing(page, approved);
      const message = 'All data of this account is erased. The receipt: deleted user 14.';
      await answering(page, 'ExecuteDeletion', { executeDeletion: { __typename: 'Message', message } });
    },
    act: async (page) => {
      await click(page, 1);
      await confirm(page);
    },
  },
  {
    name: 'admin/deletion-failed',
    who: 'admin',
    path: `${path}&status=approved`,
    texts: ['Deletion failed'],
    also: [INTERNAL_ERROR.message],
    prepare: async (page) => {
      await listing(page, approved);
      await failing(page, 'ExecuteDeletion', INTERNAL_ERROR);
    },
    act: async (page) => {
      await click(page, 1);
      await confirm(page);
    },
  },
];
