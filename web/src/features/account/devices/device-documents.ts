import { graphql } from '../../../gql/gql.ts';
import type { Device_SessionFragment } from '../../../gql/graphql.ts';

export const DeviceFragment = graphql(`
  fragment Device_session on Session {
    id
    browser
    system
    signedInAt
    lastUsedAt
    isCurrent
  }
`);

export type Device = Device_SessionFragment;

export const DevicesDocument = graphql(`
  query Devices {
    sessions { ...Device_session }
  }
`);

export const EndSessionDocument = graphql(`
  mutation EndSession($id: ID!) {
    endSession(id: $id)
  }
`);

export const EndOtherSessionsDocument = graphql(`
  mutation EndOtherSessions {
    endOtherSessions
  }
`);
