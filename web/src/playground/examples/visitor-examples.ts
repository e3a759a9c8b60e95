import type { ExampleGroup } from './example.ts';

export const visitorExamples: ExampleGroup = {
  title: 'Everyone',
  about: 'These run without signing in.',
  examples: [
    {
      name: 'Status of LotWatch',
      about: 'Cars seen, last check, seconds until a mail',
      query: `# Run it with the play button, or Ctrl and Enter.
query SiteToday {
  site {
    carsSeenLastHour
    lastCheckedAt
    lateSources
    checkEverySeconds
    medianSecondsToMail
    supportEmail
  }
}
`,
    },
    {
      name: 'Makes, models and colors',
      about: 'The values for alerts',
      query: `query CatalogueLists {
  catalogue {
    makes {
      value # what the API takes
      label # what people read
      models {
        value
        label
      }
    }
    colors {
      value
      label
    }
  }
}
`,
    },
    {
      name: 'Find a place',
      about: 'Suggestions for the typed text',
      query: `query FindPlace($text: String!) {
  locationSuggestions(text: $text) {
    label
    name
    state
    zip
  }
}
`,
      variables: { text: 'Portl' },
    },
    {
      name: 'Plans and prices',
      about: 'What each plan offers',
      query: `query AllPlans {
  plans {
    id
    name
    price # US dollars a month
    alertLimit
    features
  }
}
`,
    },
  ],
};
