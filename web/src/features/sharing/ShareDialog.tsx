import { chakra, Flex } from '@chakra-ui/react';
import { Check, Copy, Share2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Fault, formError } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';
import { dateText } from '../../lib/text/time.ts';
import { FormError } from '../../ui/form/FormError.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { BusyButton, Button, TextLink } from '../../ui/parts/Button.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';
import type { SharingState } from './ShareButton.tsx';
import type { NewLink } from './use-link-actions.ts';

interface ShareDialogProps extends SharingState {
  title: string;
  /** What the link shows, for the browser's own share menu. */
  what: string;
  /** What whoever has the link sees. */
  children: ReactNode;
  /** False while there is nothing to share. */
  canMake?: boolean;
  /** @returns what went wrong; null when nothing did */
  make: (onMade: (link: NewLink) => void) => Promise<Fault | null>;
}

/** Says what a link shows, makes it, and then shows it, also when it is opened again before the page is left. */
export function ShareDialog({ title, what, children, canMake = true, make, made, onMade, onClose }: ShareDialogProps) {
  const [isAgain] = useState(made !== null);
  const [isMaking, setMaking] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  if (made?.url) {
    return (
      <LinkDialog
        url={made.url}
        expiresAt={made.expiresAt}
        what={what}
        onAnother={isAgain ? () => onMade(null) : undefined}
        onClose={onClose}
      />
    );
  }
  const create = async () => {
    setMaking(true);
    setRefusal(undefined);
    const fault = await make(onMade);
    setMaking(false);
    if (!fault) return;
    setRefusal(Object.values(fault.fields)[0] ?? formError(fault));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      action={
        canMake ? (
          <BusyButton isBusy={isMaking} onClick={() => void create()}>
            {isMaking ? 'Creating...' : 'Create Link'}
          </BusyButton>
        ) : null
      }
    >
      <Flex direction="column" gap="3">
        {children}
        <FormError>{refusal}</FormError>
      </Flex>
    </Dialog>
  );
}

/** From the end to the beginning, which then is in view. */
const selectWhole = (field: HTMLInputElement): void => field.setSelectionRange(0, field.value.length, 'backward');

interface LinkDialogProps {
  url: string;
  expiresAt: string;
  what: string;
  /** Set when the link was made before. */
  onAnother: (() => void) | undefined;
  onClose: () => void;
}

/** The new link, to pass on by the browser's own menu or the clipboard. */
function LinkDialog({ url, expiresAt, what, onAnother, onClose }: LinkDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const canShare = typeof navigator.share === 'function';
  // The pressed button is gone.
  useEffect(() => field.current?.focus(), []);
  const copy = async () => {
    if (field.current) selectWhole(field.current);
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
      toast('Link copied', 'Paste it wherever you want to share it.');
    } catch {
      toast('The link is selected', 'Copy it with your keyboard or the menu.', 'notice');
    }
  };
  // Whoever closes the browser's menu has the link still in front of them.
  const share = () => navigator.share({ title: what, url }).catch(() => undefined);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your link is ready"
      cancel="Done"
      action={
        canShare ? (
          <Button onClick={() => void share()}>
            <Share2 size={16} aria-hidden />
            Share…
          </Button>
        ) : null
      }
    >
      <Flex gap="2" direction={{ base: 'column', sm: 'row' }} color="ink">
        <TextInput
          ref={field}
          readOnly
          value={url}
          aria-label="Shared link"
          fontFamily="mono"
          fontSize={{ base: '1rem', md: 'xs' }}
          spellCheck={false}
          onFocus={({ currentTarget }) => selectWhole(currentTarget)}
        />
        <Button variant={canShare ? 'outline' : 'solid'} flexShrink={0} minW="104px" onClick={() => void copy()}>
          {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </Flex>
      <chakra.p mt="3" fontSize="sm">
        Keep it or send it now: we don't keep it, so it can't be shown again once you leave this page. It works until{' '}
        {dateText(expiresAt)}, unless you end it before.
      </chakra.p>
      <Flex mt={{ md: '1.5' }} columnGap="5" wrap="wrap" align="baseline">
        <TextLink to="/settings/shared-links" fontSize="sm" display="inline-flex">
          See your shared links
        </TextLink>
        {onAnother ? (
          <Button variant="link" size="text" onClick={onAnother}>
            Create another link
          </Button>
        ) : null}
      </Flex>
    </Dialog>
  );
}
