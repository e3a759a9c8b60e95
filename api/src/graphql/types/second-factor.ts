import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'The second factor: each login also requires a code from an authenticator app.' })
export class SecondFactor {
  @Field(() => GraphQLDateTime, { description: 'When the second factor was set up.' })
  since!: Date;

  @Field(() => Int, { description: 'How many recovery codes are still unused.' })
  recoveryCodesLeft!: number;
}

@ObjectType({ description: 'The setup of an authenticator app, shown once.' })
export class SecondFactorSetup {
  @Field(() => String, { description: 'The secret in Base32, to type into the app instead of scanning.' })
  secret!: string;

  @Field(() => String, { description: 'An otpauth:// address, to show as a QR code.' })
  uri!: string;
}

@ObjectType({ description: 'Codes for signing in without the phone. They are never shown again.' })
export class RecoveryCodes {
  @Field(() => [String], { description: 'The codes; each works once in place of a code from the app.' })
  codes!: string[];
}
