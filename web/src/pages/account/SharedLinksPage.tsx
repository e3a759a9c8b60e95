import { Flex } from '@chakra-ui/react';
import { LinkList } from '../../features/sharing/LinkList.tsx';
import { BackLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** The links by which the viewer shows alerts and lists of cars to others. */
export function SharedLinksPage() {
  return (
    <Flex direction="column" gap="5" maxW="960px">
      <div>
        <BackLink to="/settings" mb={{ base: '1', md: '2' }}>
          Settings
        </BackLink>
        <PageTitle
          title="Shared Links"
          subtitle="Whoever has one of these links sees the cars and, of an alert, its town, price limits and other criteria, but not whose it is. End a link when it has served its purpose."
        />
      </div>
      <LinkList />
    </Flex>
  );
}
