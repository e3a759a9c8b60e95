import { apiKeySchema } from '@lotwatch/api/forms/api-key';
import { FormDialog } from '../../ui/form/FormDialog.tsx';
import { FormField } from '../../ui/form/FormField.tsx';
import { Select, TextInput } from '../../ui/form/inputs.tsx';
import type { KeyActions } from './use-key-actions.ts';

const initial = { name: '', scopes: 'read' };

const choices = [
  { value: 'read', label: 'Read only' },
  { value: 'write', label: 'Read and write' },
];

/** Asks for the name and the scopes of a new key. */
export function CreateKeyDialog({ create, onClose }: { create: KeyActions['create']; onClose: () => void }) {
  return (
    <FormDialog
      title="Create an API key"
      button={{ text: 'Create Key', busy: 'Creating...' }}
      initial={initial}
      schema={apiKeySchema}
      save={({ name, scopes }) => create(name.trim(), scopes === 'write' ? ['read', 'write'] : ['read'])}
      onClose={onClose}
    >
      {() => (
        <>
          <FormField name="name" label="Name" required hint="The program that will use it, such as “Inventory sync”.">
            {(control) => <TextInput {...control} autoComplete="off" />}
          </FormField>
          <FormField name="scopes" label="Access" hint="Choose the least access that it needs.">
            {(control) => <Select {...control} options={choices} />}
          </FormField>
        </>
      )}
    </FormDialog>
  );
}
