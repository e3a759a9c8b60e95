import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { miles } from '../../lib/text/amounts.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import { useLinkActions } from './use-link-actions.ts';
import { WhatIsShown } from './WhatIsShown.tsx';

interface ShareAlertButtonProps {
  alert: { id: string; make: string; model?: string | null; models?: string[] | null; place: string; radius: number };
}

/** Makes a link to what an alert matches. */
export function ShareAlertButton({ alert }: ShareAlertButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const catalogue = useCatalogue();
  const { shareAlert } = useLinkActions();
  const name = askedLabel(catalogue, alert);
  return (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Share2 size={16} aria-hidden />
        Share
      </Button>
      {isOpen ? (
        <ShareDialog
          title="Share this alert"
          what={`${name} near ${alert.place}`}
          make={(onMade) => shareAlert(alert.id, onMade)}
          onClose={() => setOpen(false)}
        >
          <WhatIsShown
            shows={`${name} within ${miles(alert.radius)} of ${alert.place}, your other criteria, and the newest matches whenever they open it.`}
            leavesOut="Your name, email and ZIP code, words that you chose for titles, your notes and saved cars, and cars that you hid."
          />
        </ShareDialog>
      ) : null}
    </>
  );
}
