import { Box, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Badge, Card } from '../../ui/parts/Card.tsx';
import { cookieCategories, storedInBrowser, storedOnServer } from './stored-things.ts';

const List = chakra('ul', { base: { '&&': { listStyleType: 'none', pl: '0', display: 'grid', gap: '0' } } });

/** What the browser keeps: each thing with its category, purpose and time. */
export function StoredInBrowser() {
  return (
    <Rows>
      {storedInBrowser.map(({ key, category, where, purpose, howLong }) => (
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

/** What the server keeps. */
export function StoredOnServer() {
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
