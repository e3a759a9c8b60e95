import type { ExampleGroup } from './example.ts';

export const apiClientExamples: ExampleGroup = {
  title: 'Tools and dealers',
  about:
    'For programs, which come with an API key of the Elite plan, made on /settings/api: {"Authorization": "Bearer lw_live_…"} under Headers. Signed in, you can try them here without one.',
  examples: [
    {
      name: 'Read all matches, page by page',
      about: '100 a page, then on with the cursor',
      query: `# Hand "endCursor" back as "after" until "hasMore" is false.
# "liveCursor" of the first page is where matchAdded goes on.
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
      name: 'Go on after a break',
      about: 'A subscription that misses nothing',
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
      about: 'What it cost before, and where else it is sold',
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
