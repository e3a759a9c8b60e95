import { toast } from '../../state/toasts.ts';
import { type Fault, readFault, wholeRefusal } from './errors.ts';

/**
 * Does something and then fetches again what it changed. A fault that is not about a form's field becomes a toast.
 * @param failure title of that toast; null where an open form shows the fault itself
 * @returns what went wrong; null when nothing did
 */
export async function runAction(
  failure: string | null,
  work: () => Promise<void>,
  refetch: () => Promise<unknown>,
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
    await refetch().catch(() => undefined);
  }
}
