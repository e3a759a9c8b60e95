import type { State } from './state.ts';

export const accountStates: readonly State[] = [];
