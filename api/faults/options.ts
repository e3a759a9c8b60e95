import { parseArgs } from 'node:util';
import { type Plant, plants } from './moments/moments.ts';

export interface FaultOptions {
  kills: number;
  seed: number;
  plant: Plant | undefined;
  clocks: boolean;
  /** Judges the texts instead of matches and mails. */
  sms: boolean;
  /** Where everything lies; kept when it is given. */
  folder: string | undefined;
}

const DEFAULT_KILLS = 25;

function count(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1, not ${text}`);
  return number;
}

/** @throws Error that says what is wrong with the arguments */
export function readOptions(args: readonly string[]): FaultOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: text,
      seed: text,
      plant: text,
      folder: text,
      clocks: { type: 'boolean', default: false },
      sms: { type: 'boolean', default: false },
    },
  });
  const plant = plants.find((name) => name === values.plant);
  if (values.plant !== undefined && !plant) throw new Error(`--plant is ${plants.join(', ')}, not ${values.plant}`);
  return {
    kills: count('kills', values.kills, DEFAULT_KILLS),
    seed: count('seed', values.seed, 1),
    plant,
    clocks: values.clocks,
    sms: values.sms,
    folder: values.folder,
  };
}
