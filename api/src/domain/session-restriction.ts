/** What somebody has to do first, who may do nothing else until then. */
export enum SessionRestriction {
  password = 'password',
}

/** What is open in each state: to see who one is, to do what is asked, and to leave. */
const always: readonly string[] = ['me', 'site', 'login', 'logout', 'requestPasswordReset', 'resetPassword'];
const open: Readonly<Record<SessionRestriction, ReadonlySet<string>>> = {
  password: new Set([...always, 'changePassword', 'confirmPassword']),
};

/** @param field what an operation begins with */
export const isOpenUnder = (restriction: SessionRestriction, field: string): boolean => open[restriction].has(field);

export const restrictionTexts: Readonly<Record<SessionRestriction, string>> = {
  password: 'Please choose a password of your own first. The one you signed in with was made for you.',
};
