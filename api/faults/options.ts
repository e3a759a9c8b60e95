import { parseArgs } from 'node:util';
import { type Kind, kinds } from './acts/act-plan.ts';
import { type Plant, plants } from './moments/moments.ts';

export interface FaultOptions {
  acts: number;
  /** Which kinds of acts there are. */
  only: readonly Kind[];
  seed: number;
  /** How long a paused process stands still. */
  pauseMs: number;
  plant: Plant | undefined;
  clocks: boolean;
  /** Judges the texts instead of matches and mails. */
  sms: boolean;
  /** With few buyers and without the demo marketplace. */
  small: boolean;
  /** Where everything lies; kept when it is given. */
  folder: string | undefined;
}

const DEFAULT_ACTS = 25;
const DEFAULT_PAUSE_SECONDS = 20;

function count(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} is a whole number from 1, not ${text}`);
  return number;
}

function readOnly(text: string | undefined): readonly Kind[] {
  if (text === undefined) return kinds;
  return text.split(',').map((name) => {
    const kind = kinds.find((one) => one === name);
    if (!kind) throw new Error(`--only is of ${kinds.join(', ')}, with commas between, not ${name}`);
    return kind;
  });
}

/** @throws Error that says what is wrong with the arguments */
export function readOptions(args: readonly string[]): FaultOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      acts: text,
      kills: text,
      only: text,
      seed: text,
      pause: text,
      plant: text,
      folder: text,
      clocks: { type: 'boolean', default: false },
      sms: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
    },
  });
  const plant = plants.find((name) => name === values.plant);
  if (values.plant !== undefined && !plant) throw new Error(`--plant is ${plants.join(', ')}, not ${values.plant}`);
  if (values.kills !== undefined && (values.acts ?? values.only) !== undefined)
    throw new Error('--kills N is short for --acts N --only kill: give one or the other');
  return {
    acts: count('acts', values.acts, count('kills', values.kills, DEFAULT_ACTS)),
    only: values.kills === undefined ? readOnly(values.only) : ['kill'],
    seed: count('seed', values.seed, 1),
    pauseMs: count('pause', values.pause, DEFAULT_PAUSE_SECONDS) * 1_000,
    plant,
    clocks: values.clocks,
    sms: values.sms,
    small: values.small,
    folder: values.folder,
  };
}
