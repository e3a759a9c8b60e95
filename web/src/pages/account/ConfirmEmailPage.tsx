import { useApolloClient } from '@apollo/client/react';
import { Box } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useParams } from 'react-router-dom';
import { confirmEmail } from '../../features/account/confirm-email.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { EmptyLot } from '../../ui/parts/art.tsx';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { ErrorPanel, Spinner } from '../../ui/parts/states.tsx';

type Outcome = { state: 'asking' } | { state: 'confirmed' | 'refused'; message: string };

/** Where the link of the confirmation mail leads. */
export function ConfirmEmailPage() {
  useDocumentTitle('Confirm your email');
  const { token = '' } = useParams();
  const client = useApolloClient();
  const [outcome, setOutcome] = useState<Outcome>({ state: 'asking' });
  useEffect(() => {
    let isShown = true;
    confirmEmail(client, token).then(
      (message) => isShown && setOutcome({ state: 'confirmed', message }),
      (error: unknown) => isShown && setOutcome({ state: 'refused', message: readFault(error).message }),
    );
    return () => {
      isShown = false;
    };
  }, [client, token]);
  if (outcome.state === 'asking') return <Spinner page label="Confirming your email" />;
  return (
    <Box maxW="560px" mx="auto" px="4" py={{ base: '10', md: '20' }}>
      {outcome.state === 'refused' ? (
        <ErrorPanel level="h1" title="This link didn't work" back={<LinkButton to="/dashboard">Dashboard</LinkButton>}>
          {outcome.message} Sign in and choose 'Send again' to get a new link.
        </ErrorPanel>
      ) : (
        <Card pad="lg" textAlign="center">
          <Box maxW="240px" mx="auto" mb="5">
            <EmptyLot />
          </Box>
          <Heading as="h1" size="xl">
            Email confirmed
          </Heading>
          <Muted mt="2" mb="6">
            {outcome.message}
          </Muted>
          <LinkButton to="/dashboard">Dashboard</LinkButton>
        </Card>
      )}
    </Box>
  );
}
