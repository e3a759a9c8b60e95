/** stdout is the line's alone. */
export function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
