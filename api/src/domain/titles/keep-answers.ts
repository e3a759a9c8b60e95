const MOST_KEPT = 20_000;

/** The function with its answers kept by their word, as titles use the same words again and again; memory is bounded. */
export function keepAnswers<T>(answer: (word: string) => T): (word: string) => T {
  const kept = new Map<string, T>();
  return (word) => {
    const known = kept.get(word);
    if (known !== undefined || kept.has(word)) return known as T;
    const found = answer(word);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(word, found);
    return found;
  };
}
