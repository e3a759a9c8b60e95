import { Box, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { cookieCategories, storedInBrowser, storedOnServer } from '../../features/cookies/stored-data.ts';
import { clearCookieConsent, useCookieConsent } from '../../lib/state/cookie-consent.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Badge, Card } from '../../ui/parts/Card.tsx';
import { Prose, ProseLink, type ProseSection } from '../../ui/parts/sections/Prose.tsx';

const sections: readonly ProseSection[] = [
  {
    id: 'in-short',
    title: 'In short',
    children: (
      <>
        <p>
          We set cookies only when you sign in. Nothing tracks you: there are no analytics, no advertising and no code
          of other companies on these pages.
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
        <p>Everything that LotWatch may store on your device, under the name that your browser shows.</p>
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
          What we store about you. All of it is deleted with your account, which you can request on the page{' '}
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
        The <ProseLink to="/privacy">Privacy Policy</ProseLink> explains why we store it, who processes it for us, and
        what your rights are. Send questions to us on the page <ProseLink to="/contact">Contact Us</ProseLink>.
      </p>
    ),
  },
];

/** The page behind the cookie banner: everything that is stored, why, and for how long. */
export function PrivacyPolicyPage() {
  return (
    <Prose
      title="Cookies and Stored Data"
      lead="Everything that LotWatch stores in your browser and on our server, why, and for how long."
      updated="Nov 26, 2026"
      sections={sections}
    />
  );
}

/** The current choice, and a button to change it. */
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

const List = chakra('ul', { base: { '&&': { listStyleType: 'none', pl: '0', display: 'grid', gap: '0' } } });

/** What the browser stores, with category, purpose and time. */
function StoredInBrowser() {
  return (
    <Rows>
      {storedInBrowser().map(({ key, category, where, purpose, howLong }) => (
        <Row
          key={key}
          title={
            <>
              <chakra.code fontFamily="ui-monospace, monospace" fontSize="xs" fontWeight="600" overflowWrap="anywhere">
                {key}
              </chakra.code>
              <Badge tone={category === 'necessary' ? 'quiet' : 'brand'}>
                {cookieCategories.find((one) => one.category === category)?.name}
              </Badge>
            </>
          }
          purpose={purpose}
          facts={`${where} · ${howLong}`}
        />
      ))}
    </Rows>
  );
}

/** What the server stores. */
function StoredOnServer() {
  return (
    <Rows>
      {storedOnServer.map(({ what, purpose, howLong }) => (
        <Row key={what} title={<strong>{what}</strong>} purpose={purpose} facts={howLong} />
      ))}
    </Rows>
  );
}

function Rows({ children }: { children: ReactNode }) {
  return (
    <Card pad="none" mt="4" overflow="hidden">
      <List>{children}</List>
    </Card>
  );
}

function Row({ title, purpose, facts }: { title: ReactNode; purpose: string; facts: string }) {
  return (
    <Box as="li" px={{ base: '4', md: '5' }} py="3.5" borderTopWidth="1px" borderColor="line" _first={{ border: '0' }}>
      <Flex gap="2" rowGap="1" wrap="wrap" align="center" justify="space-between">
        {title}
      </Flex>
      <Box mt="0.5" lineHeight="1.55">
        {purpose}
      </Box>
      <Box fontSize="xs" color="muted">
        {facts}
      </Box>
    </Box>
  );
}
