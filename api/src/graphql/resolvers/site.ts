import { Ctx, Query, Resolver } from 'type-graphql';
import { Source } from '../../entities/source.ts';
import { type Context, requireAdmin } from '../context.ts';
import { Site } from '../types/site.ts';

@Resolver()
export class SiteResolver {
  @Query(() => Site, { description: 'What everyone may know about this installation.' })
  async site(@Ctx() { parts }: Context): Promise<Site> {
    return { ...parts.site.settings, ...(await parts.site.figures()) };
  }

  @Query(() => [Source], { description: 'How each source of listings is doing; for the admin.' })
  sourceHealth(@Ctx() context: Context): Promise<Source[]> {
    requireAdmin(context);
    return context.em.find(Source, {}, { orderBy: { name: 'asc' } });
  }
}
