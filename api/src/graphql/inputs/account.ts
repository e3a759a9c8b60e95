import { Field, InputType } from 'type-graphql';

@InputType({ description: 'A new account.' })
export class RegisterInput {
  @Field(() => String, { description: '1 to 40 characters, unique without regard to case.' })
  username!: string;

  @Field(() => String, { description: '6 to 200 characters, and none of the most common ones.' })
  password!: string;

  @Field(() => String, { nullable: true, description: 'Where alerts are mailed; this or phone is needed.' })
  email?: string | null;

  @Field(() => String, { nullable: true, description: 'For text messages on paid plans; this or email is needed.' })
  phone?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone of the browser, for dates in mails; America/New_York without it.',
  })
  timeZone?: string | null;
}

@InputType({ description: 'What changes of an account: absent stays, null and an empty text clear.' })
export class ProfileInput {
  @Field(() => String, { nullable: true, description: 'Where alerts are mailed; this or phone must remain.' })
  email?: string | null;

  @Field(() => String, { nullable: true, description: 'For text messages on paid plans; this or email must remain.' })
  phone?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone for dates in mails; cleared, it is America/New_York.',
  })
  timeZone?: string | null;
}
