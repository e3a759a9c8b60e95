import { toast } from '../../state/toasts.ts';
import { type Fault, formError, isPasswordNeeded, readFault } from './errors.ts';

/** Shows a fault as a toast, unless the user closed the password dialog. */
export function toastFault(title: string, { code, message }: Pick<Fault, 'code' | 'message'>): void {
  if (!isPasswordNeeded(code)) toast(title, message, 'destructive');
}

/**
 * Runs an action and then fetches the changed data again. A fault that is not about a form's field becomes a toast.
 * @param failure title of that toast; null where an open form shows the fault itself
 * @returns the fault, or null
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
    const refusal = formError(fault);
    if (failure !== null && refusal !== undefined) toast(failure, refusal, 'destructive');
    return fault;
  } finally {
    await refetch().catch(() => undefined);
  }
}
