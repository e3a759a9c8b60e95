import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { Envelope } from '../../ui/parts/art.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Heading, Muted } from '../../ui/parts/Card.tsx';

interface ContactThanksProps {
  /** Where the answer goes. */
  email: string;
  onAnother: () => void;
}

/** Stands in the form's place once the message is sent, and takes the focus that the form had. */
export function ContactThanks({ email, onAnother }: ContactThanksProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <Flex direction="column" align="center" textAlign="center" gap="2" py={{ base: '4', md: '8' }}>
      <Box w="full" maxW="220px" mb="2">
        <Envelope />
      </Box>
      <Heading as="h2" size="lg" ref={title} tabIndex={-1} borderRadius="chip" px="2">
        Thank You!
      </Heading>
      <Muted maxW="44ch" overflowWrap="anywhere" textWrap="balance">
        Your message is with us. A person reads it and answers to {email}, Monday to Friday.
      </Muted>
      <Button variant="outline" mt="4" onClick={onAnother}>
        Send Another Message
      </Button>
    </Flex>
  );
}
