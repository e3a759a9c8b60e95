import type { ApolloClient } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { Viewer_UserFragment } from '../../gql/graphql.ts';
import { evictAllExcept } from '../../lib/server/client/cache.ts';
import { forgetFirstData } from '../../lib/server/client/first-data.ts';
import { liveCursor } from '../../lib/server/client/live-connection.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { forgetOffline } from '../../lib/server/offline/offline-link.ts';
import { forgetCompared } from '../../lib/state/compared-cars.ts';
import { forgetHidden } from '../../lib/state/hidden-cars.ts';
import { startNewCars } from '../../lib/state/new-cars.ts';
import { createStore } from '../../lib/state/store.ts';

/** With the user, so that the form for a new alert need not wait for it. */
export const AlertDefaultsFragment = graphql(`
  fragment AlertDefaults_user on User {
    alertDefaults {
      emailNotifications
      textNotifications
      pushNotifications
      delivery
      digestHour
      quietHours {
        from
        to
        days
      }
      maxMailsPerDay
      priceDrops
    }
  }
`);

export const ViewerFragment = graphql(`
  fragment Viewer_user on User {
    id
    username
    email
    pendingEmail
    phone
    emailConfirmed
    phoneConfirmed
    timeZone
    messagesPaused
    ...AlertDefaults_user
    emailSuppression {
      reason
    }
    mustChangePassword
    restrictedTo
    secondFactor {
      since
      recoveryCodesLeft
    }
    # Known with the user, so that a banner is there before the page and moves nothing.
    subscription {
      planId
      planName
      status
      graceEndsAt
      alertsToResume
    }
  }
`);

const ViewerDocument = graphql(`
  query Viewer {
    me {
      ...Viewer_user
    }
  }
`);

export type Viewer = Viewer_UserFragment;

/** The fields that are the same for everyone; all others belong to the session and are evicted with it. */
const publicFields: ReadonlySet<string> = new Set(['me', 'site', 'catalogue', 'plans', 'locationSuggestions']);

const ADMIN_ID = '1';

/** Decides what is shown only; the server decides what is allowed. */
export const isAdmin = (viewer: Viewer | null): boolean => viewer?.id === ADMIN_ID;

interface ViewerState {
  /** null for visitors, and while it isn't known. */
  viewer: Viewer | null;
  loading: boolean;
  /** Why it isn't known. */
  error: unknown;
  retry: () => Promise<unknown>;
}

/** Who is signed in. */
export function useViewer(): ViewerState {
  const result = useQuery(ViewerDocument, { notifyOnNetworkStatusChange: true });
  const error = useFailure(result);
  return {
    viewer: result.data?.me ?? null,
    loading: result.loading && result.data === undefined && error === undefined,
    error,
    retry: () => result.refetch(),
  };
}

/** True from a logout until the guarded page is closed, so that the user is led home instead of to /auth. */
export const isLoggingOut = createStore(false);

/** Puts the signed-in user (or none) into the cache, and evicts all data of the previous one. */
export function setViewer(client: ApolloClient, viewer: Viewer | null): void {
  forgetFirstData();
  const evictPrivateFields = () => evictAllExcept(client.cache, publicFields);
  if (viewer) evictPrivateFields();
  liveCursor.set(null);
  startNewCars(null);
  forgetHidden();
  forgetCompared();
  void forgetOffline(viewer === null && isLoggingOut.get());
  client.writeQuery({ query: ViewerDocument, data: { me: viewer } });
  // The guarded page must be gone first, or its queries would ask again without a session.
  if (!viewer) setTimeout(evictPrivateFields);
}

/** Fetches the signed-in user again; an earlier call that is still running is ignored. */
export async function refreshViewer(client: ApolloClient): Promise<void> {
  await client.query({
    query: ViewerDocument,
    fetchPolicy: 'network-only',
    context: { queryDeduplication: false },
  });
}
