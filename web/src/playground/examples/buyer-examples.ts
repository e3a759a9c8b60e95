import type { ExampleGroup } from './example.ts';

export const buyerExamples: ExampleGroup = {
  title: 'Buyers',
  about: 'For signed-in users, about their own data.',
  examples: [
    {
      name: 'Who am I',
      about: 'Account, plan, and remaining alerts',
      query: `query WhoAmI {
  me {
    id
    username
    email
    emailConfirmed
    timeZone
  }
  currentSubscription {
    planName
    status
    currentPeriodEnd
  }
  canCreateAlert {
    canCreateAlert
    alertsUsed
    alertLimit
  }
}
`,
    },
    {
      name: 'Create an alert',
      about: 'Active immediately; also searches the last 14 days',
      query: `# A limit that is omitted does not apply. Makes, models and
# colors are the "value"s of the catalogue.
mutation NewAlert($input: AlertInput!) {
  createAlert(input: $input) {
    id
    place
    expiresAt
    matchCount
  }
}
`,
      variables: {
        input: {
          make: 'toyota',
          model: 'camry',
          location: 'Los Angeles, CA',
          radius: 50,
          yearMin: 2015,
          priceMax: 50_000,
          onlyWithImages: true,
        },
      },
    },
    {
      name: 'Live matches',
      about: 'A subscription to each new match',
      query: `# Run it and leave it running: each new match appears by itself.
# Pass "cursor" to matchAdded(after:) to continue after an interruption.
subscription LiveMatches {
  matchAdded {
    cursor
    match {
      distance # miles
      alert {
        id
        make
        model
      }
      listing {
        id
        title
        price # US dollars
        mileage # miles
        url
      }
    }
  }
}
`,
    },
    {
      name: 'My alerts',
      about: 'Your alerts, and when they expire',
      query: `query MyAlerts {
  alerts {
    id
    make
    model
    place
    radius # miles
    isActive
    daysRemaining
    matchCount
  }
}
`,
    },
    {
      name: 'My matches, and why they match',
      about: 'Verdicts, distance and delivery of each',
      query: `query MyMatches($first: Int) {
  matches(first: $first) {
    nodes {
      matchedAt
      distance # miles
      listing {
        id
        title
        price # US dollars
        status
      }
      verdicts {
        criterion
        verdict
        asked
        found
      }
      receipt {
        listedAt
        seenAt
        matchedAt
        handedOverAt
        deliveredAt
      }
    }
    endCursor
    hasMore
  }
}
`,
      variables: { first: 5 },
    },
    {
      name: 'Change or pause an alert',
      about: 'An absent field stays, null clears it',
      query: `# Take the id from "My alerts".
mutation ChangeAlert($id: ID!, $input: AlertPatch!) {
  updateAlert(id: $id, input: $input) {
    id
    isActive
    priceMax
    yearMax
  }
}
`,
      variables: { id: '1', input: { isActive: false, priceMax: 18_000, yearMax: null } },
    },
    {
      name: 'Renew an alert',
      about: '42 days from now',
      query: `# Take the id from "My alerts".
mutation RenewAlert($id: ID!) {
  renewAlert(id: $id) {
    id
    isActive
    expiresAt
  }
}
`,
      variables: { id: '1' },
    },
    {
      name: 'Mark a car as viewed',
      about: 'It no longer counts as new',
      query: `# Take the id of a listing from "My matches, and why they match".
mutation MarkViewed($id: ID!) {
  markListingViewed(id: $id) {
    id
    title
    viewed
    isNew
  }
}
`,
      variables: { id: '1' },
    },
  ],
};
