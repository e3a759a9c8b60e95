import type { ExampleGroup } from './example.ts';

export const visitorExamples: ExampleGroup = {
  title: 'Everyone',
  about: 'These run without signing in.',
  examples: [
    {
      name: 'How LotWatch is doing',
      about: 'Cars seen, sources checked, seconds to a mail',
      query: `# Run it with the play button, or Ctrl and Enter.
query SiteToday {
  site {
    carsSeenLastHour
    lastCheckedAt
    checkEverySeconds
    medianSecondsToMail
    supportEmail
  }
}
`,
    },
    {
      name: 'Makes, models and colors',
      about: 'The lists that alerts are made from',
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
      about: 'What was typed so far becomes places',
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
