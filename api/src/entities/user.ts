import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import type { DeliveryChoice } from '../domain/forms/delivery.ts';
import { FREE_PLAN_ID } from '../domain/plan-list.ts';
import { DEFAULT_TIME_ZONE } from '../domain/time-zone.ts';

@ObjectType({
  description: 'A person with an account. The user with id 1 is the admin.',
})
@Entity({ tableName: 'users' })
export class User {
  @Field(() => ID, { description: 'Number of the account; 1 is the admin.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Field(() => String, { description: 'The username; unique, ignoring case.' })
  @Property({ type: 'text' })
  username!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The address for mails; used only for notifications.',
  })
  @Property({ type: 'text', nullable: true })
  email?: string | null;

  @Property({ type: 'timestamptz', nullable: true })
  emailConfirmedAt?: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'A changed address that is not confirmed yet; until then mails go to `email`.',
  })
  @Property({ type: 'text', nullable: true })
  pendingEmail?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The number for text messages on paid plans.',
  })
  @Property({ type: 'text', nullable: true })
  phone?: string | null;

  @Property({ type: 'timestamptz', nullable: true })
  phoneConfirmedAt?: Date | null;

  @Property({ type: 'text', hidden: true })
  passwordHash!: string;

  @Field(() => Boolean, {
    description: "Whether the password was set by someone else, like the admin's first one.",
  })
  @Property({ type: 'boolean' })
  mustChangePassword: Opt<boolean> = false;

  @Property({ type: 'integer' })
  planId: Opt<number> = FREE_PLAN_ID;

  @Property({ type: 'text' })
  timeZone: Opt<string> = DEFAULT_TIME_ZONE;

  @Property({ type: 'timestamptz', nullable: true })
  messagesPausedAt?: Date | null;

  @Property({ type: 'json', nullable: true })
  alertDefaults?: Partial<DeliveryChoice> | null;

  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  createdAt!: Opt<Date>;
}
