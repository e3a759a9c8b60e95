import { Ctx, Query, Resolver, Root, Subscription } from 'type-graphql';
import { requireViewer } from '../../policies/caller.ts';
import type { Context } from '../context.ts';
import type { SiteFigures } from '../site-reader.ts';
import { Site } from '../types/site.ts';

@Resolver()
export class SiteResolver {
  @Query(() => Site, { description: 'What everyone may know about this installation.' })
  async site(@Ctx() { parts }: Context): Promise<Site> {
    return { ...parts.site.settings, ...(await parts.site.figures()) };
  }

  @Subscription(() => Site, {
    description: 'What everyone may know about this installation: now, and whenever its figures change.',
    subscribe: ({ context }: { context: Context }) => {
      requireViewer(context);
      return context.parts.site.follow();
    },
  })
  siteChanged(@Root() figures: SiteFigures, @Ctx() { parts }: Context): Site {
    return { ...parts.site.settings, ...figures };
  }
}
