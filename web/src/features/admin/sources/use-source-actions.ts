import { useApolloClient } from '@apollo/client/react';
import type { SourceValues } from '@lotwatch/api/forms/sources/source';
import type { FormKind } from '@lotwatch/api/forms/sources/source-fields';
import { runAction } from '../../../lib/server/faults/run-action.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { AdminCountsDocument } from '../admin-counts.ts';
import {
  CreateSourceDocument,
  EndSourceDocument,
  ResumeSourceDocument,
  type SourceSettings,
  SourcesDocument,
  type SourceTrial,
  TrySourceDocument,
  UpdateSourceDocument,
} from './source-documents.ts';

const inputOf = (kind: FormKind, { name, ...values }: SourceValues) => ({
  name: name.trim(),
  kind,
  fields: Object.entries(values).map(([field, value]) => ({ name: field, value: value.trim() })),
});

/** What the admin does with sources; afterwards the list is fetched again. Secrets are never cached. */
export function useSourceActions() {
  const client = useApolloClient();
  const fetchPolicy = 'no-cache';
  const refetch = () => client.refetchQueries({ include: [SourcesDocument, AdminCountsDocument] });
  return {
    /** @throws what the server refused */
    async attempt(kind: FormKind, values: SourceValues): Promise<SourceTrial | null> {
      const variables = { input: inputOf(kind, values) };
      const { data } = await client.mutate({ mutation: TrySourceDocument, variables, fetchPolicy });
      return data?.trySource ?? null;
    },
    /** @throws what the server refused */
    async create(kind: FormKind, values: SourceValues): Promise<void> {
      const variables = { input: inputOf(kind, values) };
      await client.mutate({ mutation: CreateSourceDocument, variables, fetchPolicy });
      await refetch();
      toast('Source started', `${variables.input.name} is being read.`);
    },
    /** @throws what the server refused */
    async update({ version }: SourceSettings, kind: FormKind, values: SourceValues): Promise<void> {
      const variables = { input: inputOf(kind, values), version };
      await client.mutate({ mutation: UpdateSourceDocument, variables, fetchPolicy });
      await refetch();
      toast('Source changed', `${variables.input.name} is read with the new settings.`);
    },
    end: (name: string) =>
      runAction(
        'The source was not stopped',
        async () => {
          await client.mutate({ mutation: EndSourceDocument, variables: { name } });
          toast('Source stopped', `${name} is not read any more. Its cars stay.`);
        },
        refetch,
      ),
    resume: (name: string) =>
      runAction(
        'The source was not started',
        async () => {
          await client.mutate({ mutation: ResumeSourceDocument, variables: { name } });
          toast('Source started', `${name} is being read.`);
        },
        refetch,
      ),
  };
}

export type SourceActions = ReturnType<typeof useSourceActions>;
