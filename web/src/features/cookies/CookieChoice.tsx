import { Box } from '@chakra-ui/react';
import { clearCookieConsent, useCookieConsent } from '../../lib/state/cookie-consent.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Card } from '../../ui/parts/Card.tsx';
import { cookieCategories } from './stored-things.ts';

/** What was chosen, and a button that asks anew. */
export function CookieChoice() {
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
