import { graphql } from '../../../gql/gql.ts';
import type { PushDevice_SubscriptionFragment } from '../../../gql/graphql.ts';

export const PushDeviceFragment = graphql(`
  fragment PushDevice_subscription on PushSubscription {
    id
    mark
    browser
    system
    createdAt
    lastSuccessAt
    lastError
  }
`);

/** A browser that gets the viewer's push notifications. */
export type PushDevice = PushDevice_SubscriptionFragment;

export const PushDocument = graphql(`
  query Push {
    pushKey
    pushSubscriptions { ...PushDevice_subscription }
  }
`);

export const AddPushDocument = graphql(`
  mutation AddPush($input: PushSubscriptionInput!) {
    addPushSubscription(input: $input) { ...PushDevice_subscription }
  }
`);

export const RemovePushDocument = graphql(`
  mutation RemovePush($id: ID!) {
    removePushSubscription(id: $id)
  }
`);
