/** A secret; or the one that is written with, and after it others, such as the one before, whose work is still read. */
export type Secret = string | readonly [string, ...string[]];

export const newestOf = (secret: Secret): string => (typeof secret === 'string' ? secret : secret[0]);

export const allOf = (secret: Secret): readonly string[] => (typeof secret === 'string' ? [secret] : secret);

/** The same of each: what is derived from a secret is replaced as the secret is. */
export function deriveEach(secret: Secret, derive: (one: string) => string): Secret {
  const [newest, ...others] = allOf(secret).map(derive);
  return [newest ?? '', ...others];
}
