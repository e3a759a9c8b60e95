import { Flex } from '@chakra-ui/react';
import { LinkButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';

interface SettingsLinkCardProps {
  /** The `id` of the heading. */
  id: string;
  title: string;
  text: string;
  /** The address of the page with the settings. */
  to: string;
  button: string;
}

/** Describes settings that have their own page, with a link to it. */
export function SettingsLinkCard({ id, title, text, to, button }: SettingsLinkCardProps) {
  return (
    <Card as="section" aria-labelledby={id} pad="lg">
      <Flex
        gap="4"
        direction={{ base: 'column', md: 'row' }}
        align={{ base: 'flex-start', md: 'center' }}
        justify="space-between"
      >
        <div>
          <Heading id={id} size="md">
            {title}
          </Heading>
          <Muted mt="1">{text}</Muted>
        </div>
        <LinkButton to={to} variant="outline" size="sm" flexShrink={0}>
          {button}
        </LinkButton>
      </Flex>
    </Card>
  );
}
