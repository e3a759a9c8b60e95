import { createStore } from './store.ts';

/** Opens the password dialog, once for all calls that wait for it. */
export interface PasswordQuestion {
  /** @param given whether the server has the password now; false when the dialog was closed without it */
  answer(given: boolean): void;
}

/** The open dialog; null while there is none. */
export const passwordQuestion = createStore<PasswordQuestion | null>(null);

let asked: Promise<boolean> | undefined;

/** @returns whether the password was given */
export function askForPassword(): Promise<boolean> {
  asked ??= new Promise((resolve) => {
    passwordQuestion.set({
      answer(given) {
        asked = undefined;
        passwordQuestion.set(null);
        resolve(given);
      },
    });
  });
  return asked;
}
