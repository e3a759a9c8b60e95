import { toast } from '../../state/toasts.ts';
import { type Fault, isPasswordNeeded } from './errors.ts';

/** Says as a toast what went wrong; nothing where whoever was asked for the password did not want to go on. */
export function toastFault(title: string, { code, message }: Pick<Fault, 'code' | 'message'>): void {
  if (!isPasswordNeeded(code)) toast(title, message, 'destructive');
}
