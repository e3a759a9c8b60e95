import { Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import { namesLoopback } from '../../base/addresses/loopback.ts';
import { requireViewer } from '../../policies/admin.ts';
import type { Context } from '../context.ts';
import type { SiteFigures } from '../site-reader.ts';
import { Site } from '../types/site.ts';

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

/** The client links to the development pages in test mode, and these answer to loopback names only. */
const siteFor = ({ parts, host }: Context, figures: SiteFigures): Site => ({
  ...parts.site.settings,
  ...figures,
  testMode: parts.site.settings.testMode && namesLoopback(host),
});
