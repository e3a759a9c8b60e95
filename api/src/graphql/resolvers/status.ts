import { GraphQLDateTime } from 'graphql-scalars';
import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { SourceState } from '../../domain/source-health.ts';
import type { Context } from '../context.ts';
import type { Status } from '../status-reader.ts';

@ObjectType('SourceStatus', { description: 'How well a source of listings is read.' })
class PublicSource {
  @Field(() => String, { description: 'Name of the source.' })
  name!: string;

  @Field(() => SourceState, { description: "The source's health." })
  state!: SourceState;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When it was last read without an error.' })
  lastSuccessAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Median milliseconds from listed to seen, of the new listings of the last 24 hours; null with fewer than 20.',
  })
  lagP50Ms!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: '95th percentile of the milliseconds from listed to seen; null with fewer than 20 listings.',
  })
  lagP95Ms!: number | null;

  @Field(() => Int, {
    description: 'How many new listings the lags are computed from: those that state when they were listed.',
  })
  lagListings!: number;
}

@ObjectType({
  description: 'The time from first seeing a listing to passing its message to the provider, by match.',
})
class DeliveryDelays {
  @Field(() => Int, { description: 'How many matches it is computed from.' })
  matches!: number;

  @Field(() => Int, { nullable: true, description: 'Median, in milliseconds; null with fewer than 20 matches.' })
  p50Ms!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: '95th percentile, in milliseconds; null with fewer than 20 matches.',
  })
  p95Ms!: number | null;
}

@ObjectType('ChannelStatus', { description: 'How fast a channel delivers what no rule of a buyer holds back.' })
class PublicChannel {
  @Field(() => String, { description: '"email", "sms" or "push".' })
  channel!: string;

  @Field(() => DeliveryDelays, { description: 'Of the last 24 hours.' })
  lastDay!: DeliveryDelays;

  @Field(() => DeliveryDelays, { description: 'Of the last 30 days.' })
  last30Days!: DeliveryDelays;

  @Field(() => GraphQLDateTime, {
    nullable: true,
    description: 'Since when messages wait that should have left; null while none does.',
  })
  delayedSince!: Date | null;
}

@ObjectType({ description: 'Something that does not work now.' })
class Incident {
  @Field(() => String, { description: 'The name of the source, or "email", "sms" or "push".' })
  subject!: string;

  @Field(() => String, { description: 'What does not work, as a sentence.' })
  message!: string;

  @Field(() => GraphQLDateTime, { description: 'When it began.' })
  since!: Date;
}

@ObjectType('Status', {
  description: 'Whether LotWatch works, and how fast it is. Nothing here is about a single user.',
})
class PublicStatus {
  @Field(() => GraphQLDateTime, { description: 'When these figures were read; they are kept for 10 seconds.' })
  checkedAt!: Date;

  @Field(() => Boolean, { description: 'Whether there are no open incidents.' })
  isWorking!: boolean;

  @Field(() => [PublicSource], { description: 'All sources in use, by name.' })
  sources!: PublicSource[];

  @Field(() => [PublicChannel], { description: 'Mails, text messages and push notifications.' })
  channels!: PublicChannel[];

  @Field(() => [Incident], { description: 'What does not work now, the oldest first.' })
  incidents!: Incident[];
}

@Resolver()
export class StatusResolver {
  @Query(() => PublicStatus, { description: 'Whether LotWatch works, and how fast it is.' })
  status(@Ctx() { parts }: Context): Promise<Status> {
    return parts.status();
  }
}
