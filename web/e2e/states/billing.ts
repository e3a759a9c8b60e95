import type { State } from './state.ts';

export const billingStates: readonly State[] = [];
