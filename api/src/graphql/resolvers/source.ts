import { GraphQLDateTime } from 'graphql-scalars';
import { Ctx, FieldResolver, Float, Int, Query, Resolver, Root } from 'type-graphql';
import { AppError } from '../../base/errors.ts';
import { lagPercentileMs, SourceState, sourceState } from '../../domain/source-health.ts';
import { Source } from '../../entities/source.ts';
import type { Context } from '../context.ts';
import type { SourceFigures } from '../loaders/source-health.ts';
import { QuarantineCount, SourceCounts } from '../types/source-health.ts';

async function figuresOf(source: Source, { loaders }: Context): Promise<SourceFigures> {
  const figures = await loaders.sourceFigures.load(source.name);
  if (!figures) throw new AppError('NOT_FOUND', 'Source not found');
  return figures;
}

@Resolver(() => Source)
export class SourceResolver {
  @Query(() => [Source], { description: 'How each source of listings is doing; for the admin.' })
  sourceHealth(@Ctx() context: Context): Promise<Source[]> {
    return context.em.find(Source, {}, { orderBy: { name: 'asc' } });
  }

  @FieldResolver(() => SourceState, { description: 'How it is doing, in a word.' })
  async state(@Root() source: Source, @Ctx() context: Context): Promise<SourceState> {
    const { everySeconds, nextPollAt, createdAt } = await figuresOf(source, context);
    const { kind, lastSuccessAt = null, lastError = null } = source;
    const signs = { kind, everySeconds: everySeconds ?? 60, nextPollAt, createdAt, lastSuccessAt, lastError };
    return sourceState(signs, new Date());
  }

  @FieldResolver(() => Float, { nullable: true, description: 'Seconds between two polls; null where it is pushed.' })
  async everySeconds(@Root() source: Source, @Ctx() context: Context): Promise<number | null> {
    return (await figuresOf(source, context)).everySeconds;
  }

  @FieldResolver(() => GraphQLDateTime, { nullable: true, description: 'When it is asked next; null for never.' })
  async nextPollAt(@Root() source: Source, @Ctx() context: Context): Promise<Date | null> {
    return (await figuresOf(source, context)).nextPollAt;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Milliseconds from listed to seen that half of the new listings of the last 24 hours kept within.',
  })
  async lagP50Ms(@Root() source: Source, @Ctx() context: Context): Promise<number | null> {
    return lagPercentileMs((await figuresOf(source, context)).lags, 0.5);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Milliseconds from listed to seen that 95 of 100 new listings of the last 24 hours kept within.',
  })
  async lagP95Ms(@Root() source: Source, @Ctx() context: Context): Promise<number | null> {
    return lagPercentileMs((await figuresOf(source, context)).lags, 0.95);
  }

  @FieldResolver(() => Int, {
    description: 'How many new listings the lags are of: those that say when they were listed.',
  })
  async lagListings(@Root() source: Source, @Ctx() context: Context): Promise<number> {
    return (await figuresOf(source, context)).lags.reduce((sum, { listings }) => sum + listings, 0);
  }

  @FieldResolver(() => SourceCounts, { description: 'What became of its records in the last 24 hours.' })
  async lastDay(@Root() source: Source, @Ctx() context: Context): Promise<SourceCounts> {
    return (await figuresOf(source, context)).lastDay;
  }

  @FieldResolver(() => [QuarantineCount], { description: 'What is set aside now, the commonest reason first.' })
  async quarantined(@Root() source: Source, @Ctx() context: Context): Promise<QuarantineCount[]> {
    return (await figuresOf(source, context)).quarantined;
  }
}
