import { Box } from '@chakra-ui/react';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { type ResetOutcome, ResetPasswordForm } from '../../features/account/password/ResetPasswordForm.tsx';
import { EmptyLot } from '../../ui/parts/art.tsx';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { ErrorPanel } from '../../ui/parts/states.tsx';

/** The page behind the mailed link to set a new password. */
export function ResetPasswordPage() {
  useDocumentTitle('Set a new password');
  const { token = '' } = useParams();
  const [outcome, setOutcome] = useState<ResetOutcome | null>(null);
  return (
    <Box maxW="480px" mx="auto" px="4" py={{ base: '8', md: '16' }}>
      {outcome === null ? (
        <Card pad="lg">
          <Heading as="h1" size="xl">
            Set a new password
          </Heading>
          <Muted mt="2" mb="6" fontSize="md">
            You will be signed out everywhere and can then sign in with the new password.
          </Muted>
          <ResetPasswordForm token={token} onOutcome={setOutcome} />
        </Card>
      ) : outcome.state === 'refused' ? (
        <ErrorPanel
          level="h1"
          title="This link didn't work"
          back={<LinkButton to="/forgot-password">Get a New Link</LinkButton>}
        >
          {outcome.message}
        </ErrorPanel>
      ) : (
        <Done message={outcome.message} />
      )}
    </Box>
  );
}

function Done({ message }: { message: string }) {
  return (
    <Card pad="lg" textAlign="center" role="status">
      <Box maxW="240px" mx="auto" mb="5">
        <EmptyLot />
      </Box>
      <Heading as="h1" size="xl">
        Password changed
      </Heading>
      <Muted mt="2" mb="6" fontSize="md">
        {message}
      </Muted>
      <LinkButton to="/auth">Sign In</LinkButton>
    </Card>
  );
}
