import { Box } from '@chakra-ui/react';
import { EmptyLot } from '../ui/parts/art.tsx';
import { LinkButton } from '../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../ui/parts/Card.tsx';
import { useDocumentTitle } from '../ui/parts/PageTitle.tsx';

export function NotFoundPage() {
  useDocumentTitle('404 Page Not Found');
  return (
    <Box maxW="560px" mx="auto" px="4" py={{ base: '10', md: '20' }}>
      <Card pad="lg" textAlign="center">
        <Box maxW="240px" mx="auto" mb="5">
          <EmptyLot />
        </Box>
        <Heading as="h1" size="xl">
          404 Page Not Found
        </Heading>
        <Muted mt="2" mb="6">
          Did you forget to add the page to the router?
        </Muted>
        <LinkButton to="/">Home</LinkButton>
      </Card>
    </Box>
  );
}
