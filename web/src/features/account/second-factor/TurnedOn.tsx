import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
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
const actions = {
  renew: {
    opener: 'New Recovery Codes',
    warning: 'Your current recovery codes will stop working.',
    form: 'New recovery codes',
    button: 'Create New Codes',
  },
  end: {
    opener: 'Turn Off',
    warning: 'From then on your password alone signs you in.',
    form: 'Turn off two-step sign-in',
    button: 'Turn Off',
  },
} as const;

/** Two-step sign-in that is on: since when, how many recovery codes are left, and what can be changed. */
export function TurnedOn({ state: { since, recoveryCodesLeft }, onCodes, onEnded }: TurnedOnProps) {
  const [chosen, setChosen] = useState<keyof typeof actions | null>(null);
  const [renew] = useMutation(RenewRecoveryCodesDocument, { fetchPolicy: 'no-cache' });
  const [end] = useMutation(EndSecondFactorDocument, { fetchPolicy: 'no-cache' });
  const heading = useRef<HTMLHeadingElement>(null);
  const run = {
    renew: async (code: string) => {
      const { data } = await renew({ variables: { code } });
      if (data) onCodes(data.renewRecoveryCodes.codes);
    },
    end: async (code: string) => {
      const { data } = await end({ variables: { code } });
      toast('Two-step sign-in is off', data?.endSecondFactor.message);
      onEnded();
    },
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
      {chosen === null ? (
        <Flex gap="3" wrap="wrap">
          <Button variant="outline" onClick={() => setChosen('renew')}>
            {actions.renew.opener}
          </Button>
          <Button variant="outline" onClick={() => setChosen('end')}>
            {actions.end.opener}
          </Button>
        </Flex>
      ) : (
        <>
          <Muted mb="4">{actions[chosen].warning}</Muted>
          <AppCodeForm
            name={actions[chosen].form}
            hint="The six digits that your app shows now, or a recovery code."
            takesFocus
            action={actions[chosen].button}
            onCode={run[chosen]}
            onCancel={() => {
              setChosen(null);
              heading.current?.focus();
            }}
          />
        </>
      )}
    </Card>
  );
}
