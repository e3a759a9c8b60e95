import type { State } from './state.ts';

export const rightsStates: readonly State[] = [];
