import type { State } from './state.ts';

export const contactStates: readonly State[] = [];
