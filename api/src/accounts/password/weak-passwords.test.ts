import { expect, it } from 'vitest';
import { weaknessOf } from './weak-passwords.ts';

const COMMON = 'This password is one of the most common ones. Please choose another.';
const NAME = 'The password must not contain your username.';
const EMAIL = 'The password must not contain the name in your email address.';
const ana = { username: 'Ana', email: 'ana@example.com' };
const anabel = { username: 'Anabel', email: 'belana.7@example.com' };

it.each([
  ['password123', ana, COMMON],
  ['PassWord123', ana, COMMON],
  [' 123456 ', ana, COMMON],
  ['letmein', ana, COMMON],
  ['secret-1', ana, undefined],
  ['correct horse', ana, undefined],
  ['ana-and-a-car', ana, undefined],
  ['my ANABEL 1', anabel, NAME],
  ['belana.7', anabel, EMAIL],
  ['x-Belana.7-x', anabel, EMAIL],
  ['example.com', anabel, undefined],
  ['x-belana-x', { username: 'bo', email: null }, undefined],
  ['  bo ann 12', { username: ' bo ann ', email: 'bo@example.com' }, NAME],
  ['👩👩👩👩', { username: '👩👩👩', email: null }, undefined],
])('%j of %j is %s', async (password, owner, fault) => {
  expect(await weaknessOf(password, owner)).toBe(fault);
});
