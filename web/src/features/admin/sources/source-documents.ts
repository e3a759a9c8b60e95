import { graphql } from '../../../gql/gql.ts';
import type { Source_SettingsFragment, SourceTrial_TrialFragment } from '../../../gql/graphql.ts';

export const SourceSettingsFragment = graphql(`
  fragment Source_settings on SourceSettings {
    name
    kind
    origin
    version
    replacedAt
    fields { name value isSet }
  }
`);

export type SourceSettings = Source_SettingsFragment;

export const SourcesDocument = graphql(`
  query Sources {
    sourceHealth { ...SourceCard_source }
    sources { ...Source_settings }
    sourceOptions { privateNetwork push }
  }
`);

export const SourceTrialFragment = graphql(`
  fragment SourceTrial_trial on SourceTrial {
    accepted
    rejected
    placeless
    hasMore
    fault
    cars { externalId title year make model price mileage facts location photos url }
    rejects { externalId code reason record }
  }
`);

export type SourceTrial = SourceTrial_TrialFragment;

export const TrySourceDocument = graphql(`
  mutation TrySource($input: SourceInput!) {
    trySource(input: $input) { ...SourceTrial_trial }
  }
`);

export const CreateSourceDocument = graphql(`
  mutation CreateSource($input: SourceInput!) {
    createSource(input: $input) { ...Source_settings }
  }
`);

export const UpdateSourceDocument = graphql(`
  mutation UpdateSource($input: SourceInput!, $version: Int!) {
    updateSource(input: $input, version: $version) { ...Source_settings }
  }
`);

export const EndSourceDocument = graphql(`
  mutation EndSource($name: String!) {
    endSource(name: $name)
  }
`);

export const ResumeSourceDocument = graphql(`
  mutation ResumeSource($name: String!) {
    resumeSource(name: $name)
  }
`);
