import { Box, Flex } from '@chakra-ui/react';
import { SavedList, useHasSaved } from '../../features/listings/SavedList.tsx';
import { ShareSavedButton } from '../../features/sharing/ShareSavedButton.tsx';
import { BackLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** The cars that the user saved. */
export function SavedPage() {
  // Its room is kept, so that nothing moves on a phone when the cars come.
  const hasCars = useHasSaved();
  return (
    <Flex direction="column" gap="5" maxW="960px">
      <div>
        <BackLink to="/dashboard" mb={{ base: '1', md: '2' }}>
          Dashboard
        </BackLink>
        <PageTitle
          title="Saved Cars"
          subtitle="While an alert that found a car sends messages, you are told when it gets 5 % cheaper, and when it is sold."
          actions={hasCars ? <ShareSavedButton /> : <Box h="10" />}
        />
      </div>
      <SavedList />
    </Flex>
  );
}
