import { Box, chakra } from '@chakra-ui/react';
import { ArrowLeft } from 'lucide-react';
import { TextLink } from './Button.tsx';
import { Heading } from './Card.tsx';
import { PageTitle } from './PageTitle.tsx';

interface ProseProps {
  title: string;
  sections: readonly { title: string; text: string }[];
}

/** A page of plain text with a way home. */
export function Prose({ title, sections }: ProseProps) {
  return (
    <Box maxW="form" mx="auto" px={{ base: '4', md: '6' }} py={{ base: '6', md: '12' }}>
      <TextLink to="/" display="inline-flex" alignItems="center" gap="1.5" minH="44px">
        <ArrowLeft size={16} aria-hidden />
        Back to home
      </TextLink>
      <chakra.div mt="2" mb="6">
        <PageTitle title={title} />
      </chakra.div>
      {sections.map((section) => (
        <chakra.section key={section.title} mt="6">
          <Heading size="md">{section.title}</Heading>
          <chakra.p mt="1.5" color="muted" lineHeight="1.65">
            {section.text}
          </chakra.p>
        </chakra.section>
      ))}
    </Box>
  );
}
