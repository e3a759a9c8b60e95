import type { AlertFormValues } from '../alert-form/alert-form-values.ts';
import { isFormValue } from '../alert-form/is-form-value.ts';
import type { Step } from './preview-words.ts';

/** A step that the form of an alert begins with. */
export type FirstStep = Pick<Step, 'done' | 'changes'>;

/** The state of the address that leads to the form. */
export const toEditState = ({ done, changes }: Step): { step: FirstStep } => ({ step: { done, changes } });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The step in the state of an address; none in that of an older version or of another page. */
export function readEditState(state: unknown, values: AlertFormValues): FirstStep | undefined {
  if (!isRecord(state) || !isRecord(state.step)) return undefined;
  const { done, changes } = state.step;
  if (typeof done !== 'string' || !isRecord(changes)) return undefined;
  const isKnown = Object.entries(changes).every(([name, value]) => isFormValue(name, value, values));
  return isKnown ? { done, changes: changes as FirstStep['changes'] } : undefined;
}
