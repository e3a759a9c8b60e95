import { useMutation, useQuery } from '@apollo/client/react';
import { chakra, Flex } from '@chakra-ui/react';
import { resetPasswordSchema, withConfirmation } from '@lotwatch/api/forms/password';
import { useState } from 'react';
import { graphql } from '../../../gql/gql.ts';
import type { ResetAccessQuery } from '../../../gql/graphql.ts';
import { type Fault, readFault } from '../../../lib/server/faults/errors.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { dateText } from '../../../lib/text/time.ts';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { ServerForm } from '../../../ui/form/ServerForm.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { Muted } from '../../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import { NewPasswordLines } from '../fields.tsx';
import { refreshViewer } from '../viewer.ts';

const schema = withConfirmation(resetPasswordSchema);

const ResetPasswordDocument = graphql(`
  mutation ResetPassword($token: String!, $newPassword: String!, $endApiKeys: [ID!], $endWebhooks: [ID!]) {
    resetPassword(token: $token, newPassword: $newPassword, endApiKeys: $endApiKeys, endWebhooks: $endWebhooks) {
      message
    }
  }
`);

const ResetAccessDocument = graphql(`
  query ResetAccess($token: String!) {
    resetAccess(token: $token) {
      apiKeys {
        id
        name
        prefix
        lastUsedAt
      }
      webhooks {
        id
        host
        createdAt
      }
    }
  }
`);

const empty = { newPassword: '', confirmPassword: '' };

export type ResetOutcome = { state: 'done' | 'refused'; message: string };

interface ResetPasswordFormProps {
  /** The token of the mailed link. */
  token: string;
  /** Called when the password is set, or the link is refused. */
  onOutcome: (outcome: ResetOutcome) => void;
}

/** Sets a new password with a mailed link, and ends the keys and webhooks that are chosen. */
export function ResetPasswordForm({ token, onOutcome }: ResetPasswordFormProps) {
  const [reset, { client }] = useMutation(ResetPasswordDocument);
  const result = useQuery(ResetAccessDocument, { variables: { token }, fetchPolicy: 'no-cache' });
  const access = result.data?.resetAccess;
  const [changed, setChosen] = useState<Chosen>();
  const chosen = changed ?? (access && allOf(access));
  const save = async ({ newPassword }: typeof empty) => {
    const { data } = await reset({ variables: { token, newPassword, ...chosen } });
    if (!data) return;
    // The reset ended the session here; if this fails, the next call finds out.
    await refreshViewer(client).catch(() => undefined);
    onOutcome({ state: 'done', message: data.resetPassword.message });
  };
  const reportFault = ({ fields, message }: Fault) => {
    if (fields.token === undefined) toast('Password change failed', message, 'destructive');
    else onOutcome({ state: 'refused', message });
  };
  if (result.loading) return <FormSkeleton />;
  const hasAccess = access !== undefined && access.apiKeys.length + access.webhooks.length > 0;
  return (
    <ServerForm name="Set a new password" initial={empty} schema={schema} save={save} onFault={reportFault}>
      {({ isSubmitting }) => (
        <>
          <NewPasswordLines />
          {hasAccess && chosen ? <AccessToEnd access={access} chosen={chosen} onChange={setChosen} /> : null}
          {isUnknown(result.error) ? (
            <Muted fontSize="sm">
              We couldn't check this account for API keys and webhooks. They keep working after the password is changed,
              so please review them in your settings.
            </Muted>
          ) : null}
          <Button type="submit" size="lg" w="full" mt="1" disabled={isSubmitting}>
            {isSubmitting ? 'Saving...' : 'Set New Password'}
          </Button>
        </>
      )}
    </ServerForm>
  );
}

/** A link that can't work is refused when it is used; after any other fault the keys and webhooks are unknown. */
const isUnknown = (error: unknown): boolean => error !== undefined && readFault(error).fields.token === undefined;

function FormSkeleton() {
  return (
    <>
      <LoadingNote>Loading the form</LoadingNote>
      <Flex direction="column" gap="4" aria-hidden>
        <Skeleton h="92px" borderRadius="field" />
        <Skeleton h="72px" borderRadius="field" />
        <Skeleton h="48px" mt="1" borderRadius="field" />
      </Flex>
    </>
  );
}

type Access = ResetAccessQuery['resetAccess'];

/** The ids that the reset is to end. */
interface Chosen {
  endApiKeys: string[];
  endWebhooks: string[];
}

/** All are chosen at first, because access that the owner doesn't recognize should end. */
const allOf = ({ apiKeys, webhooks }: Access): Chosen => ({
  endApiKeys: apiKeys.map(({ id }) => id),
  endWebhooks: webhooks.map(({ id }) => id),
});

interface AccessToEndProps {
  access: Access;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}

const withOrWithout = (ids: readonly string[], id: string, isIn: boolean) =>
  isIn ? [...ids, id] : ids.filter((one) => one !== id);

/** The keys and webhooks that would continue after a new password; all are ended unless they are unticked. */
function AccessToEnd({ access, chosen, onChange }: AccessToEndProps) {
  return (
    <chakra.fieldset border="0" p="0" m="0" minW="0">
      <chakra.legend fontSize="sm" fontWeight="600" p="0" mb="1">
        End these too
      </chakra.legend>
      <Muted fontSize="sm" mb="1">
        They work without your password. Clear the ones that you recognize and still need. This cannot be undone.
      </Muted>
      {access.apiKeys.map(({ id, name, prefix, lastUsedAt }) => (
        <Checkbox
          key={`key-${id}`}
          label={`API key “${name}”`}
          hint={`${prefix}… · ${lastUsedAt ? `last used ${dateText(lastUsedAt)}` : 'never used'}`}
          checked={chosen.endApiKeys.includes(id)}
          onChange={(isIn) => onChange({ ...chosen, endApiKeys: withOrWithout(chosen.endApiKeys, id, isIn) })}
        />
      ))}
      {access.webhooks.map(({ id, host, createdAt }) => (
        <Checkbox
          key={`webhook-${id}`}
          label={`Webhook to ${host}`}
          hint={`Added ${dateText(createdAt)}`}
          checked={chosen.endWebhooks.includes(id)}
          onChange={(isIn) => onChange({ ...chosen, endWebhooks: withOrWithout(chosen.endWebhooks, id, isIn) })}
        />
      ))}
    </chakra.fieldset>
  );
}
