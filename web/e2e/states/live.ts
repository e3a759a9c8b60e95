import type { State } from './state.ts';

export const liveStates: readonly State[] = [];
