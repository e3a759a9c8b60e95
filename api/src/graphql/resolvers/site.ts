import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context.ts';
import { Site } from '../types/site.ts';

@Resolver()
export class SiteResolver {
  @Query(() => Site, { description: 'What everyone may know about this installation.' })
  async site(@Ctx() { parts }: Context): Promise<Site> {
    return { ...parts.site.settings, ...(await parts.site.figures()) };
  }
}
