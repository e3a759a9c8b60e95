import type { State } from './state.ts';

export const alertsStates: readonly State[] = [];
