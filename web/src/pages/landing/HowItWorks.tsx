import { Box, chakra, Flex } from '@chakra-ui/react';
import { ListChecks, MailCheck, ScanSearch } from 'lucide-react';
import { Heading, Muted } from '../../ui/parts/Card.tsx';
import { Band } from './Band.tsx';

const steps = [
  {
    title: 'Set your alert',
    text: 'Make, model, years, price and how far you would drive. One minute, once.',
    Icon: ListChecks,
  },
  {
    title: 'We watch',
    text: 'We read every new listing, however the seller wrote it.',
    Icon: ScanSearch,
  },
  {
    title: 'You move first',
    text: 'A mail with photo, price and distance, seconds after the car appears.',
    Icon: MailCheck,
  },
] as const;

/** Three steps along a road. */
export function HowItWorks() {
  return (
    <Band tone="sunk" labelledBy="how">
      <Heading id="how" size="2xl" textAlign={{ base: 'left', md: 'center' }}>
        How It Works
      </Heading>
      <chakra.ol
        display="grid"
        gridTemplateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
        gap={{ base: '8', md: '10' }}
        mt={{ base: '8', md: '12' }}
        p="0"
        listStyleType="none"
        position="relative"
      >
        {steps.map(({ title, text, Icon }, index) => (
          <chakra.li
            key={title}
            position="relative"
            display="flex"
            flexDirection={{ base: 'row', md: 'column' }}
            alignItems={{ base: 'flex-start', md: 'center' }}
            textAlign={{ base: 'left', md: 'center' }}
            gap={{ base: '4', md: '0' }}
          >
            {index === 0 ? null : (
              <Box
                aria-hidden
                display={{ base: 'none', md: 'block' }}
                position="absolute"
                top="31px"
                right="calc(50% + 52px)"
                w="calc(100% - 64px)"
                borderTopWidth="3px"
                borderTopStyle="dashed"
                borderColor="fieldLine"
                opacity="0.5"
              />
            )}
            <Flex
              aria-hidden
              position="relative"
              flexShrink={0}
              w="16"
              h="16"
              align="center"
              justify="center"
              borderRadius="card"
              bg="panel"
              borderWidth="1px"
              borderColor="line"
              boxShadow="card"
              color="brand"
            >
              <Icon size={28} strokeWidth={1.75} />
              <Flex
                position="absolute"
                top="-10px"
                right="-10px"
                w="26px"
                h="26px"
                align="center"
                justify="center"
                borderRadius="full"
                bg="brand"
                color="onBrand"
                fontSize="xs"
                fontWeight="700"
              >
                {index + 1}
              </Flex>
            </Flex>
            <Box>
              <Heading as="h3" size="md" mt={{ base: '0', md: '5' }}>
                {title}
              </Heading>
              <Muted fontSize="md" mt="1.5" maxW="34ch" textWrap="pretty">
                {text}
              </Muted>
            </Box>
          </chakra.li>
        ))}
      </chakra.ol>
    </Band>
  );
}
