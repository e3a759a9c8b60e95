import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { SourceState } from '../../domain/source-health.ts';

registerEnumType(SourceState, {
  name: 'SourceState',
  description: 'The health of a source.',
  valuesConfig: {
    waiting: { description: 'The source is new and has not been read yet.' },
    healthy: { description: 'The last read succeeded.' },
    degraded: { description: 'The last read failed.' },
    failing: { description: 'Every read has failed for ten intervals, or for ten minutes if that is longer.' },
    stopped: { description: 'The source was ended and is no longer polled.' },
  },
});

@ObjectType({ description: 'What happened to the records of a source.' })
export class SourceCounts {
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
export class QuarantineCount {
  @Field(() => String, { description: 'The reason, as a code.' })
  code!: string;

  @Field(() => Int, { description: 'The number of records.' })
  count!: number;
}
