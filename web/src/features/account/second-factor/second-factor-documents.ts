import { graphql } from '../../../gql/gql.ts';

export const StartSecondFactorDocument = graphql(`
  mutation StartSecondFactor {
    startSecondFactor {
      secret
      uri
    }
  }
`);

export const ConfirmSecondFactorDocument = graphql(`
  mutation ConfirmSecondFactor($code: String!) {
    confirmSecondFactor(code: $code) {
      codes
    }
  }
`);

export const RenewRecoveryCodesDocument = graphql(`
  mutation RenewRecoveryCodes($code: String!) {
    renewRecoveryCodes(code: $code) {
      codes
    }
  }
`);

export const EndSecondFactorDocument = graphql(`
  mutation EndSecondFactor($code: String!) {
    endSecondFactor(code: $code) {
      message
    }
  }
`);
