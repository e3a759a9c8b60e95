import { Box, chakra, Flex } from '@chakra-ui/react';
import { Clock, Mail } from 'lucide-react';
import { useSite } from '../lib/server/site.ts';
import { Card } from '../ui/parts/Card.tsx';
import { PageTitle } from '../ui/parts/PageTitle.tsx';

/** How to reach the people behind LotWatch. */
export function ContactPage() {
  const email = useSite()?.supportEmail;
  return (
    <Box maxW="form" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '6', md: '12' }}>
      <PageTitle title="Contact Us" subtitle="Write to us; a person answers." />
      <Card pad="lg" mt="6" display="flex" flexDirection="column" gap="4">
        <Flex gap="3" align="center" minH="6">
          <Mail size={18} aria-hidden />
          {email ? (
            <chakra.a
              href={`mailto:${email}`}
              display="inline-flex"
              alignItems="center"
              minH={{ base: '44px', md: '0' }}
              color="brand"
              fontWeight="600"
              overflowWrap="anywhere"
            >
              {email}
            </chakra.a>
          ) : null}
        </Flex>
        <Flex gap="3" align="center">
          <Clock size={18} aria-hidden />
          Monday-Friday 9am-5pm EST
        </Flex>
      </Card>
    </Box>
  );
}
