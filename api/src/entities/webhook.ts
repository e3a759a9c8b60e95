import { BigIntType, type Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLDateTime } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';

export enum WebhookState {
  active = 'active',
  paused = 'paused',
}
registerEnumType(WebhookState, {
  name: 'WebhookState',
  description: 'Whether a webhook receives events.',
  valuesConfig: {
    active: { description: 'It receives events as they happen.' },
    paused: { description: 'Its events wait, for at most 7 days.' },
  },
});

export enum PausedBecause {
  owner = 'owner',
  failures = 'failures',
  gone = 'gone',
}
registerEnumType(PausedBecause, {
  name: 'PausedBecause',
  description: 'Why a webhook is paused.',
  valuesConfig: {
    owner: { description: 'The owner paused it.' },
    failures: { description: 'It accepted nothing for a day.' },
    gone: { description: 'It answered 410 Gone.' },
  },
});

@ObjectType({
  description: 'A URL that receives events by POST, signed according to Standard Webhooks.',
})
@Entity({ tableName: 'webhooks' })
export class Webhook {
  @Field(() => ID, { description: 'Number of the webhook.' })
  @PrimaryKey({ type: new BigIntType('number') })
  id!: number;

  @Property({ type: new BigIntType('number') })
  userId!: number;

  @Field(() => String, { description: 'The URL to which events are posted.' })
  @Property({ type: 'text' })
  url!: string;

  @Field(() => [String], { description: '"match.created", "listing.price_dropped" or "alert.expiring".' })
  @Property({ type: 'text[]' })
  events!: string[];

  @Field(() => String, { description: "The owner's note; may be empty." })
  @Property({ type: 'text' })
  description: Opt<string> = '';

  @Field(() => WebhookState, { description: 'Whether it receives events.' })
  @Property({ type: 'text' })
  state: Opt<WebhookState> = WebhookState.active;

  @Field(() => PausedBecause, { nullable: true, description: 'Why it is paused; null if it is not.' })
  @Property({ type: 'text', nullable: true })
  pausedBecause?: PausedBecause | null;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'Since when it has been paused.' })
  @Property({ type: 'timestamptz', nullable: true })
  pausedAt?: Date | null;

  /** Encrypted by `base/encryption.ts`. */
  @Property({ type: 'text', hidden: true })
  secretCiphertext!: string;

  @Property({ type: 'text', nullable: true, hidden: true })
  previousSecretCiphertext?: string | null;

  /** Until when the previous secret signs too. */
  @Property({ type: 'timestamptz', nullable: true })
  previousUntil?: Date | null;

  @Property({ type: 'integer' })
  failuresInRow: Opt<number> = 0;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Since when every attempt has failed; null if the last one succeeded.',
  })
  @Property({ type: 'timestamptz', nullable: true })
  failingSince?: Date | null;

  @Property({ type: 'timestamptz', nullable: true })
  backoffUntil?: Date | null;

  @Field(() => GraphQLDateTime, { description: 'When it was created.' })
  @Property({ type: 'timestamptz', defaultRaw: 'now()' })
  createdAt!: Opt<Date>;
}
