import { Box } from '@chakra-ui/react';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { useDocumentTitle } from '../../../ui/parts/PageTitle.tsx';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';

/** Shown instead of every page that needs a login, until the user has changed the initial password. */
export function FirstPassword({ username }: { username: string }) {
  useDocumentTitle('Choose a password');
  return (
    <Box maxW="480px" mx="auto" px="4" py={{ base: '8', md: '16' }}>
      <Card pad="lg">
        <Heading as="h1" size="xl">
          Choose a password
        </Heading>
        <Muted mt="2" mb="6" fontSize="md">
          The password you signed in with was created for you. Choose your own to continue.
        </Muted>
        <ChangePasswordForm username={username} />
      </Card>
    </Box>
  );
}
