import { graphql } from '../../gql/gql.ts';
import type {
  SharedAlert_SharedAlertFragment,
  SharedCar_SharedCarFragment,
  SharedLinksQuery,
} from '../../gql/graphql.ts';

export const SharedLinksDocument = graphql(`
  query SharedLinks {
    sharedLinks {
      id
      alert { id make model models place }
      carCount
      titles
      createdAt
      expiresAt
    }
  }
`);

export type SharedLink = SharedLinksQuery['sharedLinks'][number];

export const ShareAlertDocument = graphql(`
  mutation ShareAlert($id: ID!) {
    link: shareAlert(id: $id) { id url expiresAt }
  }
`);

export const ShareListingsDocument = graphql(`
  mutation ShareListings($ids: [ID!]!) {
    link: shareListings(ids: $ids) { id url expiresAt }
  }
`);

export const EndSharedLinkDocument = graphql(`
  mutation EndSharedLink($id: ID!) {
    endSharedLink(id: $id)
  }
`);

export const SharedAlertFragment = graphql(`
  fragment SharedAlert_sharedAlert on SharedAlert {
    make
    model
    models
    yearMin
    yearMax
    place
    radius
    priceMin
    priceMax
    color
    onlyWithImages
    mileageMax
    transmission
    fuel
    drive
    body
    titleStatus
    seller
    priceStated
    belowFairPrice
    asksForWords
  }
`);

export type SharedAlert = SharedAlert_SharedAlertFragment;

export const SharedCarFragment = graphql(`
  fragment SharedCar_sharedCar on SharedCar {
    title
    status
    price
    trim
    mileage
    transmission
    fuel
    drive
    body
    titleStatus
    color
    condition
    location { reverse_geocode { city state } }
    priceBand { low middle high n rating reason }
    photos
    marketplaceUrl
    createdAt
  }
`);

export type SharedCar = SharedCar_SharedCarFragment;

export const SharedDocument = graphql(`
  query Shared($token: String!) {
    shared(token: $token) {
      alert { ...SharedAlert_sharedAlert }
      cars { ...SharedCar_sharedCar }
    }
  }
`);
