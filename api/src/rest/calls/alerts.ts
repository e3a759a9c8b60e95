import { AppError } from '../../base/errors.ts';
import { field, found, sentence } from './answers.ts';
import type { Call } from './call.ts';
import { alert } from './selections.ts';

export const alertCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/alerts/user',
    summary: "The user's alerts, the newest first",
    tag: 'Alerts',
    access: 'user',
    operation: `{ alerts { ${alert} } }`,
    answer: field('alerts'),
  },
  {
    method: 'GET',
    path: '/alerts/{id}',
    summary: "One of the user's alerts",
    tag: 'Alerts',
    access: 'user',
    operation: `query ($id: ID!) { alert(id: $id) { ${alert} } }`,
    answer: found('alert', () => new AppError('NOT_FOUND', 'Alert not found')),
  },
  {
    method: 'POST',
    path: '/alerts',
    summary: 'Make an alert that watches from now on and looks back 14 days',
    tag: 'Alerts',
    access: 'user',
    operation: `mutation ($input: AlertInput!) { createAlert(input: $input) { ${alert} } }`,
    status: 201,
    answer: field('createAlert'),
    failures: ['PLAN_LIMIT', 'PLAN_REQUIRED', 'CONFLICT'],
    guarded: true,
    once: true,
  },
  {
    method: 'PATCH',
    path: '/alerts/{id}',
    summary: 'Change an alert, or switch it on or off',
    tag: 'Alerts',
    access: 'user',
    operation: `mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { ${alert} } }`,
    answer: field('updateAlert'),
    failures: ['PLAN_LIMIT', 'PLAN_REQUIRED'],
    guarded: true,
  },
  {
    method: 'DELETE',
    path: '/alerts/{id}',
    summary: 'Delete an alert and its matches',
    tag: 'Alerts',
    access: 'user',
    operation: 'mutation ($id: ID!) { deleteAlert(id: $id) }',
    answer: sentence('The alert is deleted.', { id: 'deleteAlert' }),
  },
  {
    method: 'POST',
    path: '/alerts/{id}/notify',
    summary: "Send a sample of an alert's mail to the user",
    tag: 'Alerts',
    access: 'user',
    operation: 'mutation ($id: ID!) { sendTestNotification(alertId: $id) { message } }',
    answer: field('sendTestNotification'),
    failures: ['VALIDATION'],
  },
];
