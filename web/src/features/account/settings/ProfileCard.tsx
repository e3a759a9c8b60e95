import { useMutation } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Badge, Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { ConfirmedBadge } from '../ConfirmedBadge.tsx';
import { phoneText } from '../phone/phone-step.ts';
import { useResendConfirmation } from '../use-resend-confirmation.ts';
import type { Viewer } from '../viewer.ts';
import { ContactInfoForm } from './ContactInfoForm.tsx';
import { zoneLabel } from './time-zones.ts';

/** Name and contact information; switches between reading and editing. */
export function ProfileCard({ viewer, asksToConfirm }: { viewer: Viewer; asksToConfirm: boolean }) {
  const [isEditing, setIsEditing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) opener.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    <Card as="section" aria-labelledby="profile" pad="lg">
      <Flex justify="space-between" align="flex-start" gap="3" wrap="wrap">
        <Box>
          <Heading id="profile" size="md">
            Profile
          </Heading>
          <Muted mt="1">Where your alerts reach you. Nobody else sees this.</Muted>
        </Box>
        {isEditing ? null : (
          <Button ref={opener} variant="outline" size="sm" onClick={() => setIsEditing(true)}>
            Edit Contact Info
          </Button>
        )}
      </Flex>
      <chakra.dl mt="4" mb={isEditing ? '4' : '0'}>
        <Fact name="Username">{viewer.username}</Fact>
        {isEditing ? null : (
          <Contact viewer={viewer} asksToConfirm={asksToConfirm} onCancelled={() => opener.current?.focus()} />
        )}
      </chakra.dl>
      {isEditing ? (
        <ContactInfoForm viewer={viewer} asksToConfirm={asksToConfirm} onClose={() => setIsEditing(false)} />
      ) : null}
    </Card>
  );
}

interface ContactProps {
  viewer: Viewer;
  asksToConfirm: boolean;
  /** The line of the pending address is gone, with the button that had the focus. */
  onCancelled: () => void;
}

function Contact({ viewer, asksToConfirm, onCancelled }: ContactProps) {
  const { resend, isSending } = useResendConfirmation();
  const { email, emailConfirmed, pendingEmail, phone, phoneConfirmed } = viewer;
  return (
    <>
      <Fact
        name="Email"
        mark={email && (emailConfirmed || asksToConfirm) ? <ConfirmedBadge isConfirmed={emailConfirmed} /> : null}
        action={
          email && !emailConfirmed && asksToConfirm && !pendingEmail ? (
            <Button variant="link" size="text" fontSize="sm" disabled={isSending} onClick={() => void resend()}>
              Send link again
            </Button>
          ) : null
        }
      >
        {email ?? <None />}
      </Fact>
      {pendingEmail ? <PendingEmail address={pendingEmail} onCancelled={onCancelled} /> : null}
      <Fact name="Phone" mark={phone && phoneConfirmed ? <ConfirmedBadge isConfirmed /> : null}>
        {phone ? phoneText(phone) : <None />}
      </Fact>
      <Fact name="Time zone">{zoneLabel(viewer.timeZone)}</Fact>
    </>
  );
}

/** A changed address that waits for its confirmation. */
function PendingEmail({ address, onCancelled }: { address: string; onCancelled: () => void }) {
  const { resend, isSending } = useResendConfirmation();
  const { cancel, isCancelling } = useCancelEmailChange();
  const isBusy = isSending || isCancelling;
  return (
    <Fact
      name="New email"
      mark={<Badge tone="quiet">Waiting for confirmation</Badge>}
      action={
        <Flex as="span" gap="4">
          <Button variant="link" size="text" fontSize="sm" disabled={isBusy} onClick={() => void resend()}>
            Send again
          </Button>
          <Button
            variant="link"
            size="text"
            fontSize="sm"
            disabled={isBusy}
            onClick={() => void cancel().then((isDone) => isDone && onCancelled())}
          >
            Cancel
          </Button>
        </Flex>
      }
      note="We sent a confirmation link to it. Until it is confirmed, your mails go to the address above."
    >
      {address}
    </Fact>
  );
}

const None = () => <chakra.span color="muted">Not given</chakra.span>;

interface FactProps {
  name: string;
  children: ReactNode;
  mark?: ReactNode;
  action?: ReactNode;
  note?: string;
}

function Fact({ name, children, mark, action, note }: FactProps) {
  return (
    <Flex
      direction={{ base: 'column', md: 'row' }}
      minH="52px"
      py="2.5"
      columnGap="4"
      rowGap="0.5"
      justify={{ base: 'center', md: 'flex-start' }}
      align={{ md: 'center' }}
      borderTopWidth="1px"
      borderColor="line"
    >
      <chakra.dt w={{ md: '120px' }} flexShrink={0} color="muted" fontSize="sm">
        {name}
      </chakra.dt>
      <chakra.dd display="flex" columnGap="3" alignItems="center" flexWrap="wrap" minW="0" m="0" flex={{ md: '1' }}>
        <chakra.span fontWeight="500" overflowWrap="anywhere">
          {children}
        </chakra.span>
        {mark}
        {action ? <chakra.span ml={{ md: 'auto' }}>{action}</chakra.span> : null}
        {note ? (
          <chakra.span flexBasis="100%" color="muted" fontSize="sm">
            {note}
          </chakra.span>
        ) : null}
      </chakra.dd>
    </Flex>
  );
}

const CancelEmailChangeDocument = graphql(`
  mutation CancelEmailChange {
    cancelEmailChange {
      ...Viewer_user
    }
  }
`);

/** Cancels a pending change of the viewer's address and shows a toast; resolves to whether it was cancelled. */
function useCancelEmailChange(): { cancel: () => Promise<boolean>; isCancelling: boolean } {
  const [mutate, { loading }] = useMutation(CancelEmailChangeDocument);
  const cancel = async () => {
    try {
      await mutate();
      toast('Change cancelled', 'Your email address stays as it is.');
      return true;
    } catch (error) {
      toast('Error', readFault(error).message, 'destructive');
      return false;
    }
  };
  return { cancel, isCancelling: loading };
}
