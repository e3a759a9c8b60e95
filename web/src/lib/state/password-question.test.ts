import { expect, it } from 'vitest';
import { askForPassword, passwordQuestion } from './password-question.ts';

it('is asked once for all waiting calls, and again for the next one', async () => {
  const both = Promise.all([askForPassword(), askForPassword()]);
  const question = passwordQuestion.get();
  question?.answer(true);
  expect(await both).toEqual([true, true]);
  expect(passwordQuestion.get()).toBeNull();
  const next = askForPassword();
  expect(passwordQuestion.get()).not.toBe(question);
  passwordQuestion.get()?.answer(false);
  expect(await next).toBe(false);
});
