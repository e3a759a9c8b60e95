import { GraphQLDateTime } from 'graphql-scalars';
import {
  Ctx,
  Field,
  FieldResolver,
  Float,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
  registerEnumType,
} from 'type-graphql';
import { AppError } from '../../base/errors.ts';
import { lagPercentileMs, SourceState, sourceState } from '../../domain/source-health.ts';
import { Source } from '../../entities/source.ts';
import type { Context } from '../context.ts';
import type { SourceFigures } from '../loaders/source-health.ts';

registerEnumType(SourceState, {
  name: 'SourceState',
  description: 'The health of a source.',
  valuesConfig: {
    waiting: { description: 'The source is new and has not been read yet.' },
    healthy: { description: 'The last read succeeded.' },
    degraded: { description: 'The last read failed.' },
    failing: { description: 'Every read has failed for ten intervals, or for ten minutes if that is longer.' },
    stopped: { description: 'The source was stopped and is no longer read.' },
  },
});

@ObjectType({ description: 'What happened to the records of a source.' })
class SourceCounts {
  @Field(() => Int, { description: 'New listings.' })
  accepted!: number;

  @Field(() => Int, { description: 'Listings that changed.' })
  updated!: number;

  @Field(() => Int, { description: 'Listings that had not changed, counted at each read.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Records that were quarantined for the first time.' })
  rejected!: number;
}

@ObjectType({ description: 'How many records of a source are quarantined for one reason.' })
class QuarantineCount {
  @Field(() => String, { description: 'The reason, as a code.' })
  code!: string;

  @Field(() => Int, { description: 'The number of records.' })
  count!: number;
}

async function figuresOf(source: Source, { loaders }: Context): Promise<SourceFigures> {
  const figures = await loaders.sourceFigures.load(source.name);
  if (!figures) throw new AppError('NOT_FOUND', 'Source not found');
  return figures;
}

@Resolver(() => Source)
export class SourceResolver {
  @Query(() => [Source], { description: 'The health of each source of listings. Admin only.' })
  sourceHealth(@Ctx() context: Context): Promise<Source[]> {
    return context.em.find(Source, {}, { orderBy: { name: 'asc' } });
  }

  @FieldResolver(() => SourceState, { description: "The source's health." })
  async state(@Root() source: Source, @Ctx() context: Context): Promise<SourceState> {
    const { everySeconds, nextPollAt, createdAt } = await figuresOf(source, context);
    const { kind, lastSuccessAt = null, lastError = null } = source;
    const activity = { kind, everySeconds: everySeconds ?? 60, nextPollAt, createdAt, lastSuccessAt, lastError };
    return sourceState(activity, new Date());
  }

  @FieldResolver(() => Float, { nullable: true, description: 'Seconds between two polls; null for a pushed source.' })
  async everySeconds(@Root() source: Source, @Ctx() context: Context): Promise<number | null> {
    return (await figuresOf(source, context)).everySeconds;
  }

  @FieldResolver(() => GraphQLDateTime, { nullable: true, description: 'When it is polled next; null for never.' })
  async nextPollAt(@Root() source: Source, @Ctx() context: Context): Promise<Date | null> {
    return (await figuresOf(source, context)).nextPollAt;
  }

  @FieldResolver(() => Boolean, { description: 'Whether it is being read right now.' })
  async isReading(@Root() source: Source, @Ctx() context: Context): Promise<boolean> {
    return (await figuresOf(source, context)).isReading;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Median milliseconds from listed to seen, of the new listings of the last 24 hours.',
  })
  async lagP50Ms(@Root() source: Source, @Ctx() context: Context): Promise<number | null> {
    return lagPercentileMs((await figuresOf(source, context)).lags, 0.5);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: '95th percentile of the milliseconds from listed to seen, of the new listings of the last 24 hours.',
  })
  async lagP95Ms(@Root() source: Source, @Ctx() context: Context): Promise<number | null> {
    return lagPercentileMs((await figuresOf(source, context)).lags, 0.95);
  }

  @FieldResolver(() => Int, {
    description: 'How many new listings the lags are computed from: those that state when they were listed.',
  })
  async lagListings(@Root() source: Source, @Ctx() context: Context): Promise<number> {
    return (await figuresOf(source, context)).lags.reduce((sum, { listings }) => sum + listings, 0);
  }

  @FieldResolver(() => SourceCounts, { description: 'What happened to its records in the last 24 hours.' })
  async lastDay(@Root() source: Source, @Ctx() context: Context): Promise<SourceCounts> {
    return (await figuresOf(source, context)).lastDay;
  }

  @FieldResolver(() => [QuarantineCount], {
    description: 'Records in quarantine now, by reason, the most frequent first.',
  })
  async quarantined(@Root() source: Source, @Ctx() context: Context): Promise<QuarantineCount[]> {
    return (await figuresOf(source, context)).quarantined;
  }
}
