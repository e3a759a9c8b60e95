import { Box, Flex, Grid } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { allCookies, type CookieChoice, firstChoice, necessaryOnly } from '../../lib/state/cookie-consent.ts';
import { Switch } from '../../ui/form/Switch.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Heading, Muted } from '../../ui/parts/Card.tsx';
import { cookieCategories } from './stored-things.ts';

/** The banner's panel: a switch for each category that can be refused. */
export function CookiePreferences({ onChoose }: { onChoose: (choice: CookieChoice) => void }) {
  const [choice, setChoice] = useState(firstChoice);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  return (
    <Box>
      <Heading ref={title} tabIndex={-1} size="md" borderRadius="4px">
        Cookie Preferences
      </Heading>
      <Grid templateColumns={{ base: '1fr', md: '1fr 1fr' }} columnGap="10" mt="2">
        {cookieCategories.map(({ category, name, text }) => (
          <Flex key={category} justify="space-between" align="center" gap="4" py="2.5">
            <Box minW="0">
              <Box fontWeight="600" fontSize="sm">
                {name}
              </Box>
              <Muted fontSize="xs">{text}</Muted>
            </Box>
            {category === 'necessary' ? (
              <Switch label={name} checked disabled onChange={() => undefined} />
            ) : (
              <Switch
                label={name}
                checked={choice[category]}
                onChange={(isOn) => setChoice({ ...choice, [category]: isOn })}
              />
            )}
          </Flex>
        ))}
      </Grid>
      <Flex gap="2.5" mt="3" wrap="wrap" direction={{ base: 'column', sm: 'row' }} justify="flex-end">
        <Button variant="outline" onClick={() => onChoose(necessaryOnly)}>
          Accept Necessary Only
        </Button>
        <Button variant="outline" onClick={() => onChoose(allCookies)}>
          Accept All
        </Button>
        <Button onClick={() => onChoose(choice)}>Save Preferences</Button>
      </Flex>
    </Box>
  );
}
