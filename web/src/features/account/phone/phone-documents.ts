import { graphql } from '../../../gql/gql.ts';

export const PhoneTextsFragment = graphql(`
  fragment PhoneTexts_user on User {
    id
    phone
    phoneConfirmed
    texts {
      available
      stopped
      codeExpiresAt
      usedThisMonth
      monthlyLimit
      from
    }
  }
`);

export const PhoneTextsDocument = graphql(`
  query PhoneTexts {
    me {
      ...PhoneTexts_user
    }
  }
`);

export const SendPhoneCodeDocument = graphql(`
  mutation SendPhoneCode {
    sendPhoneCode {
      message
    }
  }
`);

export const ConfirmPhoneDocument = graphql(`
  mutation ConfirmPhone($code: String!) {
    confirmPhone(code: $code) {
      ...PhoneTexts_user
    }
  }
`);
