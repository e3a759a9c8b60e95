import { Flex } from '@chakra-ui/react';
import { SecondFactor } from '../../features/account/second-factor/SecondFactor.tsx';
import { useViewer } from '../../features/account/viewer.ts';
import { BackLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** The viewer's second factor. A user who must have one sees only this page until it is set up. */
export function TwoStepPage() {
  const { viewer } = useViewer();
  if (!viewer) return null;
  const isRequired = viewer.restrictedTo === 'secondFactor';
  return (
    <Flex direction="column" gap="5" maxW="form">
      <div>
        {isRequired ? null : (
          <BackLink to="/settings" mb={{ base: '1', md: '2' }}>
            Settings
          </BackLink>
        )}
        <PageTitle
          title="Two-step sign-in"
          subtitle={
            isRequired
              ? 'The admin of LotWatch must use two-step sign-in. Set it up to continue.'
              : 'Require a code from your phone in addition to your password.'
          }
        />
      </div>
      <SecondFactor viewer={viewer} />
    </Flex>
  );
}
