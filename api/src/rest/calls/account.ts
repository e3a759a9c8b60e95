import { AppError } from '../../base/errors.ts';
import { field, found, sentence } from './answers.ts';
import type { Call } from './call.ts';
import { user } from './selections.ts';

/** Who is signed in, and signing in and out. */
export const accountCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/user',
    summary: 'The signed-in user',
    tag: 'Account',
    signedIn: true,
    operation: `{ me { ${user} } }`,
    answer: found('me', () => new AppError('UNAUTHENTICATED', 'Please sign in first.')),
  },
  {
    method: 'POST',
    path: '/login',
    summary: 'Sign in: the session lives in a cookie',
    tag: 'Account',
    operation: `mutation ($username: String!, $password: String!, $code: String) {
      login(username: $username, password: $password, code: $code) { ${user} }
    }`,
    answer: field('login'),
    failures: ['UNAUTHENTICATED', 'CODE_NEEDED'],
  },
  {
    method: 'POST',
    path: '/register',
    summary: 'Make an account and sign it in',
    tag: 'Account',
    operation: `mutation ($input: RegisterInput!) { register(input: $input) { ${user} } }`,
    status: 201,
    answer: field('register'),
    failures: ['CONFLICT'],
    guarded: true,
    oneNeeded: ['email', 'phone'],
  },
  {
    method: 'POST',
    path: '/logout',
    summary: 'End the session',
    tag: 'Account',
    operation: 'mutation { logout }',
    answer: sentence('You are signed out.'),
  },
  {
    method: 'PATCH',
    path: '/user/profile',
    summary: 'Change where alerts go',
    tag: 'Account',
    operation: `mutation ($input: ProfileInput!) { updateProfile(input: $input) { ${user} } }`,
    answer: field('updateProfile'),
    guarded: true,
  },
  {
    method: 'POST',
    path: '/user/change-password',
    summary: 'Set another password; all other sessions end',
    tag: 'Account',
    operation: `mutation ($currentPassword: String!, $newPassword: String!) {
      changePassword(currentPassword: $currentPassword, newPassword: $newPassword) { message }
    }`,
    answer: field('changePassword'),
  },
  {
    method: 'POST',
    path: '/user/confirm-password',
    summary: 'Give the current password: for ten minutes this session is not asked for it again',
    tag: 'Account',
    operation:
      'mutation ($currentPassword: String!) { confirmPassword(currentPassword: $currentPassword) { message } }',
    answer: field('confirmPassword'),
  },
];
