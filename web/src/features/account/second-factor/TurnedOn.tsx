import { useMutation } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { toast } from '../../../lib/state/toasts.ts';
import { dateText, plural } from '../../../lib/text/time.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { AppCodeForm } from './AppCodeForm.tsx';
import { EndSecondFactorDocument, RenewRecoveryCodesDocument } from './second-factor-documents.ts';

interface TurnedOnProps {
  state: { since: string; recoveryCodesLeft: number };
  onCodes: (codes: readonly string[]) => void;
  onEnded: () => void;
}

/** What can be done with a second factor; each asks for a code. */
export function TurnedOn({ state: { since, recoveryCodesLeft }, onCodes, onEnded }: TurnedOnProps) {
  const [doing, setDoing] = useState<'renew' | 'end' | null>(null);
  const [renew] = useMutation(RenewRecoveryCodesDocument, { fetchPolicy: 'no-cache' });
  const [end] = useMutation(EndSecondFactorDocument, { fetchPolicy: 'no-cache' });
  const hint = 'The six digits that your app shows now, or a recovery code.';
  const heading = useRef<HTMLHeadingElement>(null);
  const cancel = () => {
    setDoing(null);
    heading.current?.focus();
  };
  return (
    <Card as="section" aria-labelledby="two-step-on" pad="lg">
      <Heading ref={heading} id="two-step-on" size="md" tabIndex={-1} borderRadius="4px">
        Two-step sign-in is on
      </Heading>
      <Muted mt="1" mb="5">
        Since {dateText(since)}. Each sign-in asks for a code from your app.{' '}
        {`${plural(recoveryCodesLeft, 'recovery code')} left.`}
      </Muted>
      {doing === null ? (
        <Flex gap="3" wrap="wrap">
          <Button variant="outline" onClick={() => setDoing('renew')}>
            New Recovery Codes
          </Button>
          <Button variant="outline" onClick={() => setDoing('end')}>
            Turn Off
          </Button>
        </Flex>
      ) : null}
      {doing === 'renew' ? (
        <Box>
          <Muted mb="4">The recovery codes that you have now will no longer work.</Muted>
          <AppCodeForm
            name="New recovery codes"
            hint={hint}
            takesFocus
            action="Make New Codes"
            onCode={async (code) => {
              const { data } = await renew({ variables: { code } });
              if (data) onCodes(data.renewRecoveryCodes.codes);
            }}
            onCancel={cancel}
          />
        </Box>
      ) : null}
      {doing === 'end' ? (
        <Box>
          <Muted mb="4">From then on your password alone signs you in.</Muted>
          <AppCodeForm
            name="Turn off two-step sign-in"
            hint={hint}
            takesFocus
            action="Turn Off"
            onCode={async (code) => {
              const { data } = await end({ variables: { code } });
              toast('Two-step sign-in is off', data?.endSecondFactor.message);
              onEnded();
            }}
            onCancel={cancel}
          />
        </Box>
      ) : null}
    </Card>
  );
}
