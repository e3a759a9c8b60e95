import { graphql } from '../../gql/gql.ts';
import type { Delivery_DeliveryFragment } from '../../gql/graphql.ts';

export const DeliveryFragment = graphql(`
  fragment Delivery_delivery on WebhookDelivery {
    id
    messageId
    type
    status
    createdAt
    nextTryAt
    settledAt
    body
    attempts { at statusCode ms error answer }
  }
`);

export type Delivery = Delivery_DeliveryFragment;

export const DeliveriesDocument = graphql(`
  query Deliveries($id: ID!, $first: Int!) {
    webhook(id: $id) {
      id
      waiting
      deliveries(first: $first) {
        nodes { ...Delivery_delivery }
        hasMore
      }
    }
  }
`);

export const ReplayDeliveryDocument = graphql(`
  mutation ReplayDelivery($id: ID!) {
    replayDelivery(id: $id) { ...Delivery_delivery }
  }
`);
