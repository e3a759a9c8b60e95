import { GraphQLDateTime } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'What each login asks for beside the password: a code of an authenticator app.' })
export class SecondFactor {
  @Field(() => GraphQLDateTime, { description: 'When it was set up.' })
  since!: Date;

  @Field(() => Int, { description: 'How many recovery codes were not used yet.' })
  recoveryCodesLeft!: number;
}

@ObjectType({ description: 'What an authenticator app is given, once.' })
export class SecondFactorSetup {
  @Field(() => String, { description: 'Base32, to be typed into the app where no camera is.' })
  secret!: string;

  @Field(() => String, { description: 'An otpauth:// address, to be shown as a QR code.' })
  uri!: string;
}

@ObjectType({ description: 'Codes for when the phone is gone. They are never shown again.' })
export class RecoveryCodes {
  @Field(() => [String], { description: 'Each signs in once, in the place of a code of the app.' })
  codes!: string[];
}
