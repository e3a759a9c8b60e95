import { Box, chakra, Flex } from '@chakra-ui/react';
import { Clock, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSite } from '../../lib/server/site.ts';
import { Card, Heading } from '../../ui/parts/Card.tsx';
import { Skeleton } from '../../ui/parts/states.tsx';

/** The support address and the hours, as a card beside the form. */
export function ContactWays() {
  const email = useSite()?.supportEmail;
  return (
    <Card as="section" aria-labelledby="contact-ways" pad="lg">
      <Heading id="contact-ways" size="sm">
        Other ways to reach us
      </Heading>
      <Flex direction="column" gap="5" mt="4">
        <Way icon={<Mail size={18} aria-hidden />} title="Support email">
          {email ? (
            <chakra.a
              href={`mailto:${email}`}
              display="inline-flex"
              alignItems="center"
              minH={{ base: '44px', md: '0' }}
              color="brand"
              fontWeight="600"
              overflowWrap="anywhere"
              borderRadius="4px"
              _hover={{ textDecoration: 'underline' }}
            >
              {email}
            </chakra.a>
          ) : (
            <Skeleton h="5" w="48" my={{ base: '3', md: '0.5' }} maxW="full" />
          )}
        </Way>
        <Way icon={<Clock size={18} aria-hidden />} title="Business hours">
          Monday-Friday 9am-5pm EST
        </Way>
      </Flex>
    </Card>
  );
}

function Way({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <Flex gap="3">
      <Flex flexShrink={0} w="9" h="9" align="center" justify="center" borderRadius="chip" bg="brandSoft" color="brand">
        {icon}
      </Flex>
      <Box minW="0">
        <Box fontSize="xs" color="muted">
          {title}
        </Box>
        <Box fontWeight="500">{children}</Box>
      </Box>
    </Flex>
  );
}
