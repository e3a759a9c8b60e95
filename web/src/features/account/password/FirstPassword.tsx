import { Box } from '@chakra-ui/react';
import { KeyRound } from 'lucide-react';
import { Banner } from '../../../ui/parts/Banner.tsx';
import { LinkButton } from '../../../ui/parts/Button.tsx';
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

/** The reminder for servers that don't enforce the change. */
export function FirstPasswordBanner() {
  return (
    <Banner
      label="First password"
      tone="brand"
      icon={<KeyRound size={18} aria-hidden />}
      action={
        <LinkButton to="/settings" variant="outline" size="sm">
          Change password
        </LinkButton>
      }
    >
      You still use the password that was created for you.
    </Banner>
  );
}
