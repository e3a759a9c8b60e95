import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { miles } from '../../lib/text/amounts.ts';
import type { SharingState } from './ShareButton.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { useLinkActions } from './use-link-actions.ts';
import { WhatIsShown } from './WhatIsShown.tsx';

export interface ShareAlertDialogProps extends SharingState {
  alert: {
    id: string;
    make: string;
    model?: string | null;
    models?: string[] | null;
    place: string;
    radius: number;
    isActive: boolean;
  };
}

/** Says what a link to an alert shows, and makes it. */
export function ShareAlertDialog({ alert, ...state }: ShareAlertDialogProps) {
  const catalogue = useCatalogue();
  const { shareAlert } = useLinkActions();
  const name = askedLabel(catalogue, alert);
  return (
    <ShareDialog
      {...state}
      title="Share this alert"
      what={`${name} near ${alert.place}`}
      make={(onMade) => shareAlert(alert.id, onMade)}
    >
      <WhatIsShown
        shows={`${name} within ${miles(alert.radius)} of the middle of ${alert.place}, your price limits and other criteria, and the newest cars for sale that fit, whenever they open it${alert.isActive ? '' : ', also while this alert is off'}.`}
        leavesOut="Your name, email and ZIP code, words that you chose for titles, your notes and saved cars, and cars that you hid."
      />
    </ShareDialog>
  );
}
