import { Field, ObjectType } from 'type-graphql';

@ObjectType('Place', { description: 'A US place or ZIP code that the form suggests.' })
export class PlaceSuggestion {
  @Field(() => String, { description: 'For example "Austin, TX".' })
  label!: string;

  @Field(() => String, { description: 'Name of the place.' })
  name!: string;

  @Field(() => String, { description: 'State, two letters.' })
  state!: string;

  @Field(() => String, { nullable: true, description: 'ZIP code, when one was typed.' })
  zip!: string | null;
}
