import { Field, ObjectType } from 'type-graphql';

@ObjectType({ description: 'One choice of a list.' })
export class CatalogueOption {
  @Field(() => String, { description: 'What the API takes and gives.' })
  value!: string;

  @Field(() => String, { description: 'What people read.' })
  label!: string;
}

@ObjectType({ description: 'A make and its models.' })
export class CatalogueMake extends CatalogueOption {
  @Field(() => [CatalogueOption], { description: 'Models of this make.' })
  models!: CatalogueOption[];
}

@ObjectType({ description: 'The lists that alerts are made from.' })
export class Catalogue {
  @Field(() => [CatalogueMake], { description: 'All makes, by name.' })
  makes!: CatalogueMake[];

  @Field(() => [CatalogueOption], { description: 'Model years, newest first.' })
  years!: CatalogueOption[];

  @Field(() => [CatalogueOption], { description: "Distances in miles, and 'any', which is sent as 100." })
  distances!: CatalogueOption[];

  @Field(() => [CatalogueOption], { description: "Colors; 'any' asks for none, 'other' for one not in the list." })
  colors!: CatalogueOption[];
}
