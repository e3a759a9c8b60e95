import { Arg, Ctx, Field, Float, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { previewAlert } from '../../alerts/preview-alert.ts';
import { shownMiles } from '../../domain/places/place.ts';
import { Listing } from '../../entities/listing.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import { AlertInput } from '../inputs/alert.ts';

@ObjectType({ description: 'A change of one field by which an alert would match more listings.' })
class NearMiss {
  @Field(() => String, {
    description:
      'The field of AlertInput; noPrice counts the listings that state no price and fit otherwise, which priceStated: false includes; filters counts those that miss only further filters.',
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
  @Field(() => Int, {
    description:
      'How many listings it matches, of which an alert would keep the newest 1000; pages show more as "1,000+".',
  })
  matchCount!: number;

  @Field(() => Float, {
    description: 'Matches a week. Before LotWatch has watched for a week, how many there were so far.',
  })
  perWeek!: number;

  @Field(() => Int, { description: 'How many days were counted: 30, or fewer where LotWatch has not watched as long.' })
  days!: number;

  @Field(() => String, { description: 'The place from which the radius was measured, such as "Reno, NV".' })
  place!: string;

  @Field(() => [Listing], { description: 'The three newest.' })
  samples!: Listing[];

  @Field(() => [Float], { description: 'How many miles each of the samples is away from the place, with one decimal.' })
  sampleDistances!: number[];

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
    const viewer = requireViewer(context);
    const { whileAwaited, gazetteer, limits } = context.parts;
    await limits.preview(viewer.id);
    const { place, ...preview } = await whileAwaited(context.gone, (db) =>
      previewAlert({ db, gazetteer, now: new Date() }, input),
    );
    const listings = await Promise.all(preview.samples.map((id) => context.loaders.listings.load(id)));
    const samples = listings.filter((listing) => listing !== undefined);
    const sampleDistances = samples.map(({ lat, lng }) =>
      shownMiles(place, { lat: lat ?? place.lat, lng: lng ?? place.lng }),
    );
    return { ...preview, place: place.label, samples, sampleDistances };
  }
}
