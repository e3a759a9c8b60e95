import { graphql } from '../../../gql/gql.ts';
import type { NotificationsQuery } from '../../../gql/graphql.ts';

export const NotificationsDocument = graphql(`
  query Notifications($after: String) {
    notificationLog(first: 50, after: $after) {
      nodes {
        id
        kind
        channel
        status
        reason
        heldBy
        listingCount
        createdAt
        dueAt
        sentAt
        deliveredAt
        settledAt
        unread
        alert {
          id
          make
          model
          models
        }
        listings {
          id
          title
        }
      }
      endCursor
      hasMore
    }
  }
`);

export type Entry = NotificationsQuery['notificationLog']['nodes'][number];

export const MarkNotificationsReadDocument = graphql(`
  mutation MarkNotificationsRead($upTo: DateTime!) {
    markNotificationsRead(upTo: $upTo) {
      id
      unreadNotifications
    }
  }
`);

export const ResendNotificationDocument = graphql(`
  mutation ResendNotification($id: ID!, $evenIfTwice: Boolean!) {
    resendNotification(id: $id, evenIfTwice: $evenIfTwice) {
      message
      waiting {
        reason
        dueAt
      }
    }
  }
`);
