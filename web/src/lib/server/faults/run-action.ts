import { toast } from '../../state/toasts.ts';
import { type Fault, readFault, wholeRefusal } from './errors.ts';

/**
 * Does something and then looks anew at what it changed. What no field of a form can tell becomes a toast.
 * @param failure title of that toast; null where a form is open that says it itself
 * @returns what went wrong; null when nothing did
 */
export async function runAction(
  failure: string | null,
  work: () => Promise<void>,
  lookAnew: () => Promise<unknown>,
): Promise<Fault | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const fault = readFault(error);
    const refusal = wholeRefusal(fault);
    if (failure !== null && refusal !== undefined) toast(failure, refusal, 'destructive');
    return fault;
  } finally {
    await lookAnew().catch(() => undefined);
  }
}
