import { Flex } from '@chakra-ui/react';
import { DeviceList } from '../../features/account/devices/DeviceList.tsx';
import { BackLink, InlineLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';

/** Where the viewer is signed in. */
export function DevicesPage() {
  return (
    <Flex direction="column" gap="5" maxW="960px">
      <div>
        <BackLink to="/settings" mb={{ base: '1', md: '2' }}>
          Settings
        </BackLink>
        <PageTitle
          title="Devices"
          subtitle={
            <>
              Browsers that are signed in to your account. If you do not recognize one, sign it out and{' '}
              <InlineLink to="/settings">change your password</InlineLink>.
            </>
          }
        />
      </div>
      <DeviceList />
    </Flex>
  );
}
