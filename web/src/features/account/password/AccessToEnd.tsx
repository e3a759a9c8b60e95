import { chakra } from '@chakra-ui/react';
import type { ResetAccessQuery } from '../../../gql/graphql.ts';
import { dateText } from '../../../lib/text/time.ts';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { Muted } from '../../../ui/parts/Card.tsx';

export type Access = ResetAccessQuery['resetAccess'];

/** What the reset is told to end, by number. */
export interface Chosen {
  endApiKeys: string[];
  endWebhooks: string[];
}

/** All of it: what its owner doesn't know is what they would leave out last. */
export const allOf = ({ apiKeys, webhooks }: Access): Chosen => ({
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

/** The keys and webhooks that would go on after a new password; all are ended unless they are unticked. */
export function AccessToEnd({ access, chosen, onChange }: AccessToEndProps) {
  return (
    <chakra.fieldset border="0" p="0" m="0" minW="0">
      <chakra.legend fontSize="sm" fontWeight="600" p="0" mb="1">
        End these too
      </chakra.legend>
      <Muted fontSize="sm" mb="1">
        They work without your password. Untick what you know and still need: what is ended can't be brought back.
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
