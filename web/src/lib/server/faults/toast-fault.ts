import { toast } from '../../state/toasts.ts';
import { type Fault, isPasswordNeeded } from './errors.ts';

/** Shows a fault as a toast, unless the user closed the password dialog. */
export function toastFault(title: string, { code, message }: Pick<Fault, 'code' | 'message'>): void {
  if (!isPasswordNeeded(code)) toast(title, message, 'destructive');
}
