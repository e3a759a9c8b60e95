import { Box, chakra } from '@chakra-ui/react';
import { StoredInBrowser, StoredOnServer } from '../../features/cookies/StoredThings.tsx';
import { cookieCategories } from '../../features/cookies/stored-things.ts';
import { clearCookieConsent, useCookieConsent } from '../../lib/state/cookie-consent.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Card } from '../../ui/parts/Card.tsx';
import { Prose, ProseLink, type ProseSection } from '../../ui/parts/Prose.tsx';

const sections: readonly ProseSection[] = [
  {
    id: 'in-short',
    title: 'In short',
    children: (
      <>
        <p>
          We set one cookie, and only when you sign in. Nothing counts or follows you: there are no analytics, no
          advertising and no code of other companies on these pages.
        </p>
        <CookieChoice />
      </>
    ),
  },
  {
    id: 'categories',
    title: 'The four categories',
    children: (
      <chakra.dl display="grid" gap="3" m="0">
        {cookieCategories.map(({ category, name, text }) => (
          <div key={category}>
            <chakra.dt fontWeight="600">{name}</chakra.dt>
            <chakra.dd m="0">{text}</chakra.dd>
          </div>
        ))}
      </chakra.dl>
    ),
  },
  {
    id: 'in-your-browser',
    title: 'In your browser',
    children: (
      <>
        <p>Everything that LotWatch may keep on your device, by the name under which your browser lists it.</p>
        <StoredInBrowser />
      </>
    ),
  },
  {
    id: 'on-our-server',
    title: 'On our server',
    children: (
      <>
        <p>
          What we keep about you. It all goes when your account is deleted, which you ask for on the page{' '}
          <ProseLink to="/data-rights">Data rights</ProseLink>.
        </p>
        <StoredOnServer />
      </>
    ),
  },
  {
    id: 'more',
    title: 'More',
    children: (
      <p>
        Why we keep it, who helps us, and what your rights are is in the{' '}
        <ProseLink to="/privacy">Privacy Policy</ProseLink>. Ask us anything on the page{' '}
        <ProseLink to="/contact">Contact Us</ProseLink>.
      </p>
    ),
  },
];

/** Where the cookie banner leads: all that is stored, what for, and for how long. */
export function PrivacyPolicyPage() {
  return (
    <Prose
      title="Cookies and Stored Data"
      lead="Everything that LotWatch keeps, in your browser and on our server: what for, and for how long."
      updated="Nov 21, 2026"
      sections={sections}
    />
  );
}

/** What was chosen, and a button to choose again. */
function CookieChoice() {
  const consent = useCookieConsent();
  const allowed = cookieCategories.filter(({ category }) => consent?.[category]).map(({ name }) => name.toLowerCase());
  return (
    <Card mt="4" display="flex" flexWrap="wrap" alignItems="center" justifyContent="space-between" gap="3">
      <Box minW="0">
        <strong>{consent ? 'Your choice' : 'You have not chosen yet'}</strong>
        <Box color="muted" fontSize="sm">
          {consent ? `You allow: ${allowed.join(', ')}.` : 'Until you do, only what is necessary is stored.'}
        </Box>
      </Box>
      <Button variant="outline" disabled={consent === null} onClick={clearCookieConsent}>
        Change your choice
      </Button>
    </Card>
  );
}
