import { GraphQLDateTime } from 'graphql-scalars';
import { Ctx, Field, Float, Int, ObjectType, Query, Resolver, Root, Subscription } from 'type-graphql';
import { namesLoopback } from '../../base/addresses/loopback.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import type { SiteFigures } from '../site-reader.ts';

@ObjectType({ description: 'Public facts about this installation.' })
class Site {
  @Field(() => Boolean, { description: 'Whether mails and payments stay on this machine.' })
  testMode!: boolean;

  @Field(() => Boolean, { description: 'Whether an e-mail address must be confirmed before anything is sent to it.' })
  confirmEmail!: boolean;

  @Field(() => String, { description: 'The address for support.' })
  supportEmail!: string;

  @Field(() => String, {
    description:
      'Home page of the marketplace, for listings without an address of their own whose source names no marketplace.',
  })
  marketplaceHome!: string;

  @Field(() => Int, { description: 'Cars seen in the last hour.' })
  carsSeenLastHour!: number;

  @Field(() => GraphQLDateTime, { nullable: true, description: 'When a source was last read without an error.' })
  lastCheckedAt!: Date | null;

  @Field(() => Int, { description: 'How many sources could not be read the last time; `status` says which.' })
  lateSources!: number;

  @Field(() => Float, {
    nullable: true,
    description:
      'Median seconds from first seeing a listing to sending its mail, over the last day. What a rule of its reader held, such as a digest, is left out.',
  })
  medianSecondsToMail!: number | null;

  @Field(() => Int, { description: 'Seconds between two polls of a source.' })
  checkEverySeconds!: number;
}

@Resolver()
export class SiteResolver {
  @Query(() => Site, { description: 'Public facts about this installation.' })
  async site(@Ctx() context: Context): Promise<Site> {
    return siteFor(context, await context.parts.site.figures());
  }

  @Subscription(() => Site, {
    description: 'Public facts about this installation: now, and whenever they change.',
    subscribe: ({ context }: { context: Context }) => {
      requireViewer(context);
      return context.parts.site.follow();
    },
  })
  siteChanged(@Root() figures: SiteFigures, @Ctx() context: Context): Site {
    return siteFor(context, figures);
  }
}

/** In test mode the client links to the development pages, which are served under loopback names only. */
const siteFor = ({ parts, host }: Context, figures: SiteFigures): Site => ({
  ...parts.site.settings,
  ...figures,
  testMode: parts.site.settings.testMode && namesLoopback(host),
});
