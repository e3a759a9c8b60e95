import { useQuery, useSubscription } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { SiteQuery } from '../../gql/graphql.ts';
import { isServer } from '../state/drawn.ts';

const SiteDocument = graphql(`
  query Site {
    site {
      testMode
      confirmEmail
      supportEmail
      carsSeenLastHour
      lastCheckedAt
      lateSources
      medianSecondsToMail
      checkEverySeconds
    }
  }
`);

export type Site = SiteQuery['site'];

/** Whether the server marked its page as test mode. It is known without a call, so that the bar's space is reserved from the first paint. */
export const isTestMode = !isServer && 'testMode' in document.documentElement.dataset;

/** Facts of this installation, fetched once. */
export function useSite(): Site | undefined {
  return useQuery(SiteDocument).data?.site;
}

const SiteChangedDocument = graphql(`
  subscription SiteChanged {
    siteChanged {
      carsSeenLastHour
      lastCheckedAt
      lateSources
      medianSecondsToMail
    }
  }
`);

/** The facts, with figures that the server pushes while the component is shown. */
export function useFreshSite(): Site | undefined {
  // If the subscription fails, the figures stay with their age, and the next page subscribes again.
  useSubscription(SiteChangedDocument, { ignoreResults: true });
  return useSite();
}

/** How often a visitor's page asks for the figures, which only users are pushed. The server keeps them for 5 s. */
const ASK_EVERY_MS = 10_000;

/** The facts, with figures that a visitor's page asks for again while it is looked at. */
export function usePolledSite(): Site | undefined {
  return useQuery(SiteDocument, { pollInterval: ASK_EVERY_MS, skipPollAttempt: () => document.hidden }).data?.site;
}

/** Calls `onChange` whenever figures are pushed, so that dependent data is fetched again without polling. */
export function useSiteChanges(onChange: () => void): void {
  useSubscription(SiteChangedDocument, { ignoreResults: true, onData: onChange });
}

const SiteFactsDocument = graphql(`
  query SiteFacts {
    site {
      checkEverySeconds
    }
  }
`);

/** The constant facts from the cache, which `useSite` of the shell fills; pushed figures do not render its callers again. */
export function useSiteFacts(): { checkEverySeconds: number } | undefined {
  return useQuery(SiteFactsDocument, { fetchPolicy: 'cache-only' }).data?.site;
}
