/** An error's message for the operator, with those of its causes where it has none itself. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes = error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : '';
  return error.message || causes || String((error as NodeJS.ErrnoException).code);
}
