/** A secret, or several: the first one encrypts and signs, and the former ones after it are still accepted. */
export type Secret = string | readonly [string, ...string[]];

export const newestOf = (secret: Secret): string => (typeof secret === 'string' ? secret : secret[0]);

export const allOf = (secret: Secret): readonly string[] => (typeof secret === 'string' ? [secret] : secret);

/** Derives a secret from each. */
export function deriveEach(secret: Secret, derive: (one: string) => string): Secret {
  const [newest, ...others] = allOf(secret).map(derive);
  return [newest ?? '', ...others];
}
