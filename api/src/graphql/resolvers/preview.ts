import { Arg, Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { previewAlert } from '../../alerts/preview-alert.ts';
import { Listing } from '../../entities/listing.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { AlertInput } from '../inputs/alert.ts';

@ObjectType({ description: 'A change of one field by which an alert would match more listings.' })
class NearMiss {
  @Field(() => String, {
    description: 'The field of AlertInput; noPrice counts the listings that state no price and fit otherwise.',
  })
  field!: string;

  @Field(() => String, { nullable: true, description: 'Its value now.' })
  from!: string | null;

  @Field(() => String, { nullable: true, description: 'The value that would bring more; null means any.' })
  to!: string | null;

  @Field(() => Int, { description: 'How many more listings of the last 30 days would match.' })
  more!: number;
}

@ObjectType({
  description: 'What an alert would have brought in the last 30 days, of the listings that are still for sale.',
})
class AlertPreview {
  @Field(() => Int, { description: 'How many listings it matches.' })
  matchCount!: number;

  @Field(() => Float, { description: 'Matches a week.' })
  perWeek!: number;

  @Field(() => [Listing], { description: 'The three newest.' })
  samples!: Listing[];

  @Field(() => [NearMiss], { description: 'Up to four changes that would bring more, those that bring most first.' })
  nearMisses!: NearMiss[];
}

@Resolver()
export class PreviewResolver {
  @Query(() => AlertPreview, {
    description:
      'What an alert would have brought in the last 30 days, and which single change would bring more. Nothing is created.',
  })
  async previewAlert(
    @Arg('input', () => AlertInput, { description: 'The alert as it would be created.' }) input: AlertInput,
    @Ctx() context: Context,
  ): Promise<AlertPreview> {
    requireViewer(context);
    const { samples, ...preview } = await previewAlert(
      { pool: context.parts.pool, gazetteer: context.parts.gazetteer, now: new Date() },
      input,
    );
    const listings = await Promise.all(samples.map((id) => context.loaders.listings.load(id)));
    return { ...preview, samples: listings.filter((listing) => listing !== undefined) };
  }
}
