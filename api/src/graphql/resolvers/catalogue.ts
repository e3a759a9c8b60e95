import { Arg, Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql';
import { colors, distances, makes, modelsOf, years } from '../../domain/catalogue.ts';
import type { Context } from '../context.ts';

@ObjectType('Place', { description: 'A US place or ZIP code that the form suggests.' })
class PlaceSuggestion {
  @Field(() => String, { description: 'For example "Austin, TX".' })
  label!: string;

  @Field(() => String, { description: 'Name of the place.' })
  name!: string;

  @Field(() => String, { description: 'State, two letters.' })
  state!: string;

  @Field(() => String, { nullable: true, description: 'ZIP code, when one was typed.' })
  zip!: string | null;
}

@ObjectType({ description: 'One option of a list.' })
class CatalogueOption {
  @Field(() => String, { description: 'The value that the API accepts and returns.' })
  value!: string;

  @Field(() => String, { description: 'The text to show.' })
  label!: string;
}

@ObjectType({ description: 'A make and its models.' })
class CatalogueMake extends CatalogueOption {
  @Field(() => [CatalogueOption], { description: 'Models of this make.' })
  models!: CatalogueOption[];
}

@ObjectType({ description: 'The values from which an alert is put together.' })
class Catalogue {
  @Field(() => [CatalogueMake], { description: 'All makes, sorted by name.' })
  makes!: CatalogueMake[];

  @Field(() => [CatalogueOption], { description: 'Model years, newest first.' })
  years!: CatalogueOption[];

  @Field(() => [CatalogueOption], { description: "Distances in miles, and 'any', which stands for 100." })
  distances!: CatalogueOption[];

  @Field(() => [CatalogueOption], {
    description: "Colors, with 'any' for no preference and 'other' for a color that is not in the list.",
  })
  colors!: CatalogueOption[];
}

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
