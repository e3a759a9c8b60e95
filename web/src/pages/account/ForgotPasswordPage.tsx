import { Box, Flex } from '@chakra-ui/react';
import { MailCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ForgotPasswordForm } from '../../features/account/password/ForgotPasswordForm.tsx';
import { Button, TextLink } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { NeedsScript } from '../../ui/parts/NeedsScript.tsx';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';

/** Requests a link to set a new password. */
export function ForgotPasswordPage() {
  useDocumentTitle('Forgot your password?');
  const [sent, setSent] = useState<{ message: string; email: string } | null>(null);
  return (
    <Box maxW="480px" mx="auto" px="4" py={{ base: '8', md: '16' }}>
      <Card pad="lg">
        {sent ? (
          <Sent {...sent} onAgain={() => setSent(null)} />
        ) : (
          <>
            <Heading as="h1" size="xl">
              Forgot your password?
            </Heading>
            <Muted mt="2" mb="6" fontSize="md">
              Enter your email address, and we will send you a link to set a new password.
            </Muted>
            <NeedsScript>This form needs JavaScript. Please turn it on and reload this page.</NeedsScript>
            <ForgotPasswordForm onSent={setSent} />
          </>
        )}
      </Card>
      <Flex mt="4" justify="center" columnGap="6" wrap="wrap" fontSize="sm">
        <TextLink to="/auth">Back to sign in</TextLink>
        <TextLink to="/contact">No email on your account?</TextLink>
      </Flex>
    </Box>
  );
}

function Sent({ message, email, onAgain }: { message: string; email: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Box role="status">
      <Flex w="48px" h="48px" mb="4" align="center" justify="center" borderRadius="field" bg="brandSoft" color="brand">
        <MailCheck size={24} aria-hidden />
      </Flex>
      <Heading as="h1" size="xl" ref={heading} tabIndex={-1}>
        Check your mail
      </Heading>
      <Muted mt="2" fontSize="md">
        {message} The link works once, for an hour.
      </Muted>
      <Muted mt="4" mb="5" overflowWrap="anywhere">
        Sent for {email}. If it does not arrive within a few minutes, check your spam folder.
      </Muted>
      <Button variant="outline" onClick={onAgain}>
        Try another address
      </Button>
    </Box>
  );
}
