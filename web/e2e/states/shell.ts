import type { State } from './state.ts';

export const shellStates: readonly State[] = [];
