import { Flex } from '@chakra-ui/react';
import { useCallback, useMemo, useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { AlertMatchesQuery } from '../../gql/graphql.ts';
import { useCatalogue } from '../../lib/server/catalogue.ts';
import { useNow } from '../../lib/state/now.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Muted } from '../../ui/parts/Card.tsx';
import { ArrivalList } from '../listings/ArrivalList.tsx';
import { deduplicateMatches } from '../listings/deduplicate-cars.ts';
import { ListingSkeletons } from '../listings/ListingSkeletons.tsx';
import { MarkableCar } from './MarkableCar.tsx';
import { MatchCard } from './MatchCard.tsx';

export const AlertMatchesDocument = graphql(`
  query AlertMatches($alertId: ID!, $after: String, $sort: ListSort, $only: [ListFilter!]) {
    matches(alertId: $alertId, first: 20, after: $after, sort: $sort, only: $only) {
      nodes { ...MatchCard_match }
      endCursor
      liveCursor
      hasMore
      total
    }
  }
`);

type MatchOfPage = AlertMatchesQuery['matches']['nodes'][number];
const carOf = (match: MatchOfPage) => match.listing.carId;

interface MatchListProps {
  page: AlertMatchesQuery['matches'];
  /** How many cards are drawn, and a function that draws more. */
  limit: number;
  drawMore: () => void;
  /** Fetches the page below this one. */
  loadOlder: () => Promise<unknown>;
}

/** An alert's matches in the order of the page, each car once; further ones are fetched near the end of the list. */
export function MatchList({ page, limit, drawMore, loadOlder }: MatchListProps) {
  const now = useNow(30_000);
  const catalogue = useCatalogue();
  const matches = useMemo(() => deduplicateMatches(page.nodes), [page.nodes]);
  const draw = useCallback(
    (match: MatchOfPage) => (
      <MarkableCar carId={carOf(match)}>
        <MatchCard match={match} now={now} catalogue={catalogue} />
      </MarkableCar>
    ),
    [now, catalogue],
  );
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const hasUndrawn = page.nodes.length > limit;
  const load = () => {
    if (hasUndrawn) return drawMore();
    setState('loading');
    loadOlder().then(
      () => {
        setState('idle');
        drawMore();
      },
      () => setState('failed'),
    );
  };
  return (
    <Flex direction="column" gap="3.5">
      <ArrivalList items={matches} keyOf={carOf} limit={limit} label="Matching listings">
        {draw}
      </ArrivalList>
      {(page.hasMore || hasUndrawn) && state !== 'loading' ? (
        <OlderMatches failed={state === 'failed'} load={load} />
      ) : null}
      {state === 'loading' ? <ListingSkeletons count={1} /> : null}
    </Flex>
  );
}

function OlderMatches({ failed, load }: { failed: boolean; load: () => void }) {
  // A failed page is fetched again only on demand; otherwise it could fail in an endless loop.
  const nearEnd = useCallback(
    (element: HTMLElement | null) => {
      if (!element || failed) return;
      const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), {
        rootMargin: '600px 0px',
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [failed, load],
  );
  return (
    <Flex ref={nearEnd} direction="column" align="center" gap="2">
      {failed ? <Muted role="alert">Older matches could not be loaded.</Muted> : null}
      <Button variant="outline" onClick={load}>
        {failed ? 'Try Again' : 'Load older matches'}
      </Button>
    </Flex>
  );
}
