import { Box, chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { ConfirmedBadge } from '../ConfirmedBadge.tsx';
import { phoneText } from '../phone/phone-step.ts';
import { useResendConfirmation } from '../use-resend-confirmation.ts';
import type { Viewer } from '../viewer.ts';
import { ContactInfoForm } from './ContactInfoForm.tsx';
import { zoneLabel } from './time-zones.ts';

/** Who one is, and where alerts go; switches between reading and editing. */
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
        {isEditing ? null : <Contact viewer={viewer} asksToConfirm={asksToConfirm} />}
      </chakra.dl>
      {isEditing ? (
        <ContactInfoForm viewer={viewer} asksToConfirm={asksToConfirm} onClose={() => setIsEditing(false)} />
      ) : null}
    </Card>
  );
}

function Contact({ viewer, asksToConfirm }: { viewer: Viewer; asksToConfirm: boolean }) {
  const { resend, isSending } = useResendConfirmation();
  const { email, emailConfirmed, phone, phoneConfirmed } = viewer;
  return (
    <>
      <Fact
        name="Email"
        mark={email && (emailConfirmed || asksToConfirm) ? <ConfirmedBadge isConfirmed={emailConfirmed} /> : null}
        action={
          email && !emailConfirmed && asksToConfirm ? (
            <Button variant="link" size="text" fontSize="sm" disabled={isSending} onClick={() => void resend()}>
              Send link again
            </Button>
          ) : null
        }
      >
        {email ?? <None />}
      </Fact>
      <Fact name="Phone" mark={phone && phoneConfirmed ? <ConfirmedBadge isConfirmed /> : null}>
        {phone ? phoneText(phone) : <None />}
      </Fact>
      <Fact name="Time zone">{zoneLabel(viewer.timeZone)}</Fact>
    </>
  );
}

const None = () => <chakra.span color="muted">Not given</chakra.span>;

interface FactProps {
  name: string;
  children: ReactNode;
  mark?: ReactNode;
  action?: ReactNode;
}

function Fact({ name, children, mark, action }: FactProps) {
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
      </chakra.dd>
    </Flex>
  );
}
