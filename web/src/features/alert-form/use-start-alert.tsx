import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { type AlertFormValues, withoutDelivery } from './alert-form-values.ts';
import { storeDraftAlert } from './draft-alert.ts';

const LoginRequiredDialog = lazy(() =>
  import('./LoginRequiredDialog.tsx').then((m) => ({ default: m.LoginRequiredDialog })),
);

interface StartAlert {
  /** Keeps the values for the create form. */
  start: (values: AlertFormValues) => void;
  /** Tells a visitor that an account is needed first; to be put on the page. */
  dialog: ReactNode;
}

/** Leads to the create form with values that were chosen elsewhere; a visitor signs in first. */
export function useStartAlert(isSignedIn: boolean): StartAlert {
  const navigate = useNavigate();
  const [mustSignIn, setMustSignIn] = useState(false);
  return {
    start(values) {
      // The account's defaults for new alerts decide about messages.
      storeDraftAlert(isSignedIn ? 'prefill' : 'pending', withoutDelivery(values));
      if (isSignedIn) void navigate('/create-alert');
      else setMustSignIn(true);
    },
    dialog: mustSignIn ? (
      <Suspense fallback={null}>
        <LoginRequiredDialog open onClose={() => setMustSignIn(false)} />
      </Suspense>
    ) : null,
  };
}
