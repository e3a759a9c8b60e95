import { Flex } from '@chakra-ui/react';
import { Cookie, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { clearCookieConsent } from '../../../lib/state/cookie-consent.ts';
import { Button, LinkButton, TextLink } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { IconTile } from '../../../ui/parts/IconTile.tsx';

/** The reloaded page asks for the choice again. */
function reviewCookies(): void {
  clearCookieConsent();
  location.reload();
}

/** Links to the user's data, the cookie choice and the legal pages. */
export function PrivacyCard() {
  return (
    <Card as="section" aria-labelledby="privacy" pad="lg">
      <Heading id="privacy" size="md">
        Privacy and data
      </Heading>
      <Flex direction="column" mt="4">
        <PrivacyRow
          icon={<ShieldCheck size={20} aria-hidden />}
          title="Your data rights (GDPR)"
          text="Download everything we hold about you, or ask us to delete it."
        >
          <LinkButton to="/data-rights" variant="outline" size="sm">
            Manage Your Data
          </LinkButton>
        </PrivacyRow>
        <PrivacyRow
          icon={<Cookie size={20} aria-hidden />}
          title="Cookies"
          text="Change what may be stored on this device."
        >
          <Button variant="outline" size="sm" onClick={reviewCookies}>
            Review Cookie Settings
          </Button>
        </PrivacyRow>
      </Flex>
      <Flex columnGap="6" pt={{ base: '2', md: '4' }} wrap="wrap" fontSize="sm" borderTopWidth="1px" borderColor="line">
        <TextLink to="/privacy">Privacy Policy</TextLink>
        <TextLink to="/terms">Terms of Service</TextLink>
      </Flex>
    </Card>
  );
}

function PrivacyRow({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  children: ReactNode;
}) {
  return (
    <Flex py="4" gap="4" align="flex-start" borderTopWidth="1px" borderColor="line">
      <IconTile>{icon}</IconTile>
      <Flex
        flex="1"
        minW="0"
        gap="3"
        direction={{ base: 'column', md: 'row' }}
        align={{ base: 'flex-start', md: 'center' }}
        justify="space-between"
      >
        <div>
          <Heading as="h3" size="sm">
            {title}
          </Heading>
          <Muted mt="0.5">{text}</Muted>
        </div>
        <Flex flexShrink={0}>{children}</Flex>
      </Flex>
    </Flex>
  );
}
