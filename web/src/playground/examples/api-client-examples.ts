import type { ExampleGroup } from './example.ts';

export const apiClientExamples: ExampleGroup = {
  title: 'Tools and dealers',
  about:
    'For programs that use an API key of the Elite plan, created on /settings/api: set {"Authorization": "Bearer lw_live_…"} under Headers. While you are signed in, you can run them here without a key.',
  examples: [
    {
      name: 'Read all matches, page by page',
      about: '100 per page, continued by cursor',
      query: `# Pass "endCursor" as "after" until "hasMore" is false.
# Pass "liveCursor" of the first page to matchAdded to continue live.
query AllMatches($after: String) {
  matches(first: 100, after: $after) {
    nodes {
      matchedAt
      distance # miles
      alert {
        id
      }
      listing {
        id
        carId # equal for all listings of one car
        title
        make
        model
        year
        price # US dollars
        mileage # miles
        status
        url
      }
    }
    endCursor
    hasMore
    liveCursor
  }
}
`,
      variables: { after: null },
    },
    {
      name: 'Continue after an interruption',
      about: 'A subscription that misses no match',
      query: `# "after" is the last cursor you have seen, or a "liveCursor".
# Everything since then comes first, then what is new.
subscription SinceCursor($after: String, $alertId: ID) {
  matchAdded(after: $after, alertId: $alertId) {
    cursor
    match {
      matchedAt
      announced
      listing {
        id
        title
        price # US dollars
        url
      }
    }
  }
}
`,
      variables: { after: null, alertId: null },
    },
    {
      name: 'One car: prices and offers',
      about: 'Earlier prices, and other offers',
      query: `# Take the id of a listing from "Read all matches, page by page".
query OneCar($id: ID!) {
  listing(id: $id) {
    id
    title
    images
    location {
      reverse_geocode {
        city
        state
      }
    }
    priceHistory {
      price # US dollars
      seenAt
    }
    offers {
      source
      price # US dollars
      status
      url
      isCurrent
    }
  }
}
`,
      variables: { id: '1' },
    },
  ],
};
