import { parseArgs } from 'node:util';

export interface FuzzOptions {
  requests: number;
  seed: number;
}

const DEFAULT_REQUESTS = 5_000;

function count(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1, not ${text}`);
  return number;
}

/** @throws Error that says what is wrong with the arguments */
export function readOptions(args: readonly string[]): FuzzOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { requests: text, seed: text } });
  return {
    requests: count('requests', values.requests, DEFAULT_REQUESTS),
    seed: count('seed', values.seed, Date.now() % 1_000_000),
  };
}
