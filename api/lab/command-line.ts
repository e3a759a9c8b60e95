/** Writes a line of progress to stderr, as stdout has the result only. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Reads an option that counts something. @throws Error that names the option */
export function readCount(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1, not ${text}`);
  return number;
}
