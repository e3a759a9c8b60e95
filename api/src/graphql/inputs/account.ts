import { Field, InputType } from 'type-graphql';
import { DEFAULT_TIME_ZONE } from '../../domain/time-zone.ts';

@InputType({ description: 'A new account.' })
export class RegisterInput {
  @Field(() => String, { description: '1 to 40 characters; must be unique, ignoring case.' })
  username!: string;

  @Field(() => String, { description: '6 to 200 characters, and none of the most common ones.' })
  password!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The address for alerts; an e-mail address or a phone number is required.',
  })
  email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The number for text messages on paid plans; an e-mail address or a phone number is required.',
  })
  phone?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `IANA time zone of the browser, for dates in mails; ${DEFAULT_TIME_ZONE} if absent.`,
  })
  timeZone?: string | null;
}

@InputType({
  description: 'Changes to an account. Absent fields stay as they are; null or an empty text clears a field.',
})
export class ProfileInput {
  @Field(() => String, {
    nullable: true,
    description: 'The address for alerts; an account needs an e-mail address or a phone number.',
  })
  email?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The number for text messages on paid plans; an account needs an e-mail address or a phone number.',
  })
  phone?: string | null;

  @Field(() => String, {
    nullable: true,
    description: `IANA time zone for dates in mails; clearing it sets ${DEFAULT_TIME_ZONE}.`,
  })
  timeZone?: string | null;
}
