import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { SourceState } from '../../domain/source-health.ts';

registerEnumType(SourceState, {
  name: 'SourceState',
  description: 'How a source is doing, in a word.',
  valuesConfig: {
    waiting: { description: 'New, and not read yet.' },
    healthy: { description: 'Read without a fault.' },
    degraded: { description: 'Its last read failed.' },
    failing: { description: 'Nothing could be read for ten intervals, or ten minutes where that is longer.' },
    stopped: { description: 'It was ended: it is polled no more.' },
  },
});

@ObjectType({ description: 'What became of the records of a source.' })
export class SourceCounts {
  @Field(() => Int, { description: 'New listings.' })
  accepted!: number;

  @Field(() => Int, { description: 'Listings that changed.' })
  updated!: number;

  @Field(() => Int, { description: 'Listings that were there just so; each read counts.' })
  unchanged!: number;

  @Field(() => Int, { description: 'Records that were set aside and had not been before.' })
  rejected!: number;
}

@ObjectType({ description: 'How many records of a source are set aside for one reason.' })
export class QuarantineCount {
  @Field(() => String, { description: 'The reason, as a code.' })
  code!: string;

  @Field(() => Int, { description: 'How many.' })
  count!: number;
}
