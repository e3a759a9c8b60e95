import type { Rolldown } from 'vite';

/** These scripts and all that they import at once. */
export function closure(starts: readonly string[], chunks: readonly Rolldown.OutputChunk[]): string[] {
  const files = [...new Set(starts)];
  for (const file of files) {
    const imports = chunks.find(({ fileName }) => fileName === file)?.imports ?? [];
    files.push(...imports.filter((name) => !files.includes(name)));
  }
  return files;
}
