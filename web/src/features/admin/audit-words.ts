const actors: Readonly<Record<string, string>> = {
  admin: 'The admin',
  command: 'A command on the server',
  visitor: 'A visitor',
};

export const actorWords = (actor: string): string => actors[actor] ?? actor;

/** What it came to, where that is more than that it was done. Codes of errors are written in capitals. */
export function outcomeWords(outcome: string): { text: string; failed: boolean } | null {
  if (outcome === 'done') return null;
  if (!/^[A-Z_]+$/.test(outcome)) return { text: outcome, failed: false };
  return { text: `Refused: ${outcome.toLowerCase().replaceAll('_', ' ')}`, failed: true };
}
