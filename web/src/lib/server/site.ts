import { useQuery } from '@apollo/client/react';
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

/** Facts of this installation; `everyMs` asks again while the component is shown. */
export function useSite(everyMs = 0): Site | undefined {
  return useQuery(SiteDocument, { pollInterval: everyMs }).data?.site;
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
