import { Box } from '@chakra-ui/react';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { useDocumentTitle } from '../../ui/parts/PageTitle.tsx';

/** What anyone but the admin sees at /admin. */
export function AccessDenied() {
  useDocumentTitle('Access Denied');
  return (
    <Box maxW="560px" mx="auto" py={{ base: '6', md: '12' }}>
      <Card pad="lg" textAlign="center">
        <Heading as="h1" size="xl">
          Access Denied
        </Heading>
        <Muted mt="2" mb="6">
          Only the admin can open this page.
        </Muted>
        <LinkButton to="/dashboard">Dashboard</LinkButton>
      </Card>
    </Box>
  );
}
