import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { type PasswordQuestion, passwordQuestion } from '../lib/state/password-question.ts';
import { useStore } from '../lib/state/store.ts';
import { toast } from '../lib/state/toasts.ts';

interface DialogProps {
  question: PasswordQuestion;
}

/** Stands for the dialog where its code can't be loaded. */
function NotAsked({ question }: DialogProps) {
  useEffect(() => {
    toast('Your password could not be asked for', 'Please check your connection, then reload the page.', 'destructive');
    question.answer(false);
  }, [question]);
  return null;
}

const LateDialog = lazy(() =>
  import('../features/account/password/PasswordDialog.tsx').then(
    (module): { default: ComponentType<DialogProps> } => ({ default: module.PasswordDialog }),
    () => ({ default: NotAsked }),
  ),
);

/** The dialog that asks for the password, whichever page made the call; its code comes with the first question. */
export function PasswordAsked() {
  const question = useStore(passwordQuestion);
  return question ? (
    <Suspense>
      <LateDialog question={question} />
    </Suspense>
  ) : null;
}
