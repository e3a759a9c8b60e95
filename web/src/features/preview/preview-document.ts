import { graphql } from '../../gql/gql.ts';

/** What an alert would have brought, and what would bring more. */
export const PreviewAlertDocument = graphql(`
  query PreviewAlert($input: AlertInput!) {
    previewAlert(input: $input) {
      matchCount
      perWeek
      days
      place
      sampleDistances
      samples {
        id
        title
        price
        color
        photos
        priceBand { low middle high n rating reason }
      }
      nearMisses { field from to more }
    }
  }
`);
