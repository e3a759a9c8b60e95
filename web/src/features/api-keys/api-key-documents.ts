import { graphql } from '../../gql/gql.ts';
import type { ApiKey_KeyFragment } from '../../gql/graphql.ts';

export const ApiKeyFragment = graphql(`
  fragment ApiKey_key on ApiKey {
    id
    name
    prefix
    scopes
    state
    createdAt
    lastUsedAt
    expiresAt
    revokedAt
  }
`);

export type ApiKey = ApiKey_KeyFragment;

export const ApiKeysDocument = graphql(`
  query ApiKeys {
    apiKeys { ...ApiKey_key }
  }
`);

export const ApiUsageDocument = graphql(`
  query ApiUsage {
    apiUsage { hour ok refused }
  }
`);

export const CreateApiKeyDocument = graphql(`
  mutation CreateApiKey($name: String!, $scopes: [ApiScope!]!) {
    createApiKey(name: $name, scopes: $scopes) { secret apiKey { ...ApiKey_key } }
  }
`);

export const RotateApiKeyDocument = graphql(`
  mutation RotateApiKey($id: ID!, $overlapHours: Int) {
    rotateApiKey(id: $id, overlapHours: $overlapHours) { secret apiKey { ...ApiKey_key } }
  }
`);

export const RevokeApiKeyDocument = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(id: $id)
  }
`);
