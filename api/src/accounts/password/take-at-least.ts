/** Answers no sooner than after `ms`, so that the time tells nothing of what was found. */
export async function takeAtLeast<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), new Promise((settle) => setTimeout(settle, ms))]);
  return result;
}
