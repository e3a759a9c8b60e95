import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One option of a list.' })
export class CatalogueOption {
  @Field(() => String, { description: 'The value that the API accepts and returns.' })
  value!: string;

  @Field(() => String, { description: 'The text to show.' })
  label!: string;
}

@ObjectType({ description: 'A make and its models.' })
export class CatalogueMake extends CatalogueOption {
  @Field(() => [CatalogueOption], { description: 'Models of this make.' })
  models!: CatalogueOption[];
}

@ObjectType({ description: 'The values from which an alert is put together.' })
export class Catalogue {
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
