import { graphql } from '../../gql/gql.ts';
import type { Webhook_WebhookFragment } from '../../gql/graphql.ts';

export const WebhookFragment = graphql(`
  fragment Webhook_webhook on Webhook {
    id
    url
    events
    description
    state
    pausedBecause
    pausedAt
    failingSince
    previousSecretUntil
    waiting
    createdAt
    lastTry { at taken statusCode error }
  }
`);

export type Webhook = Webhook_WebhookFragment;

export const WebhooksDocument = graphql(`
  query Webhooks {
    webhooks { ...Webhook_webhook }
  }
`);

export const CreateWebhookDocument = graphql(`
  mutation CreateWebhook($url: String!, $events: [String!]!, $description: String) {
    createWebhook(url: $url, events: $events, description: $description) { secret webhook { ...Webhook_webhook } }
  }
`);

export const UpdateWebhookDocument = graphql(`
  mutation UpdateWebhook($id: ID!, $url: String!, $events: [String!]!, $description: String) {
    updateWebhook(id: $id, url: $url, events: $events, description: $description) { ...Webhook_webhook }
  }
`);

export const RotateWebhookSecretDocument = graphql(`
  mutation RotateWebhookSecret($id: ID!) {
    rotateWebhookSecret(id: $id) { secret webhook { ...Webhook_webhook } }
  }
`);

export const PauseWebhookDocument = graphql(`
  mutation PauseWebhook($id: ID!) {
    pauseWebhook(id: $id) { ...Webhook_webhook }
  }
`);

export const ResumeWebhookDocument = graphql(`
  mutation ResumeWebhook($id: ID!) {
    resumeWebhook(id: $id) { ...Webhook_webhook }
  }
`);

export const DeleteWebhookDocument = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(id: $id)
  }
`);

export const SendTestEventDocument = graphql(`
  mutation SendTestEvent($id: ID!) {
    sendTestEvent(webhookId: $id) { id }
  }
`);

export const ReplayEventsDocument = graphql(`
  mutation ReplayEvents($id: ID!, $since: DateTime!) {
    replayEvents(webhookId: $id, since: $since) { count }
  }
`);
