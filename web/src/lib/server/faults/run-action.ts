import { toast } from '../../state/toasts.ts';
import { type Fault, readFault } from './errors.ts';

/**
 * Does something and then looks anew at what it changed. What no field of a form can tell becomes a toast.
 * @param failure title of that toast
 * @returns what went wrong; null when nothing did
 */
export async function runAction(
  failure: string,
  work: () => Promise<void>,
  lookAnew: () => Promise<unknown>,
): Promise<Fault | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const fault = readFault(error);
    if (Object.keys(fault.fields).length === 0) toast(failure, fault.message, 'destructive');
    return fault;
  } finally {
    await lookAnew().catch(() => undefined);
  }
}
