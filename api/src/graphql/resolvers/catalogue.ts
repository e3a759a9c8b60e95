import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { colors, distances, makes, modelsOf, years } from '../../domain/catalogue.ts';
import type { Context } from '../context.ts';
import { Catalogue } from '../types/catalogue.ts';
import { PlaceSuggestion } from '../types/place.ts';

const SUGGESTIONS = 8;

const makesWithModels = makes.map((make) => ({ ...make, models: [...modelsOf(make.value)] }));

@Resolver()
export class CatalogueResolver {
  @Query(() => Catalogue, { description: 'The values from which an alert is put together.' })
  catalogue(): Catalogue {
    return { makes: makesWithModels, years: [...years(new Date())], distances: [...distances], colors: [...colors] };
  }

  @Query(() => [PlaceSuggestion], { description: 'Places whose names begin with the text, the most populous first.' })
  locationSuggestions(
    @Arg('text', () => String, { description: 'The text typed so far.' }) text: string,
    @Ctx() { parts }: Context,
  ): PlaceSuggestion[] {
    return parts.gazetteer.suggest(text, SUGGESTIONS);
  }
}
