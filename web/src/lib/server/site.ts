import { useQuery, useSubscription } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import type { SiteQuery } from '../../gql/graphql.ts';

const SiteDocument = graphql(`
  query Site {
    site {
      testMode
      confirmEmail
      supportEmail
      marketplaceHome
      carsSeenLastHour
      lastCheckedAt
      medianSecondsToMail
      checkEverySeconds
    }
  }
`);

export type Site = SiteQuery['site'];

/** Whether the server marked its page so: known before anything is asked, so that the bar's room is there from the first paint. */
export const isMarkedTest = typeof document !== 'undefined' && 'testMode' in document.documentElement.dataset;

/** Facts of this installation, fetched once. */
export function useSite(): Site | undefined {
  return useQuery(SiteDocument).data?.site;
}

const SiteChangedDocument = graphql(`
  subscription SiteChanged {
    siteChanged {
      carsSeenLastHour
      lastCheckedAt
      medianSecondsToMail
    }
  }
`);

/** The facts with figures that stay fresh while the component is shown: they are pushed over the open socket. */
export function useFreshSite(): Site | undefined {
  // However the request ends, the figures stay with their age, and the next page asks again.
  useSubscription(SiteChangedDocument, { ignoreResults: true });
  return useSite();
}

/** Calls back whenever a push reports changed figures, so that dependent data is fetched again without polling. */
export function useSiteChanges(onChange: () => void): void {
  useSubscription(SiteChangedDocument, { ignoreResults: true, onData: onChange });
}

const SiteFactsDocument = graphql(`
  query SiteFacts {
    site {
      marketplaceHome
      checkEverySeconds
    }
  }
`);

/** The facts that don't change, out of what `useSite` of the shell fetched; fresh readings leave its callers alone. */
export function useSiteFacts(): { marketplaceHome: string; checkEverySeconds: number } | undefined {
  return useQuery(SiteFactsDocument, { fetchPolicy: 'cache-only' }).data?.site;
}
