/** What a signed-in user must do before anything else. `policies/operations.ts` lists what is allowed until then. */
export enum SessionRestriction {
  password = 'password',
  secondFactor = 'secondFactor',
}

export const restrictionTexts: Readonly<Record<SessionRestriction, string>> = {
  password: 'Please choose a password of your own first. The one you signed in with was made for you.',
  secondFactor: 'Please set up a second factor first. The admin of LotWatch may not go without one.',
};
