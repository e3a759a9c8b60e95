import { Field, InputType } from 'type-graphql';

@InputType({ description: 'The value of one field of a source.' })
export class SourceFieldInput {
  @Field(() => String, { description: 'Name of the field, for example "url".' })
  name!: string;

  @Field(() => String, {
    description:
      'Its value as text: a number in digits, "on" for a switch, "" for none. A secret that is "" stays as it is.',
  })
  value!: string;
}

@InputType({ description: 'A source as the form of the admin has it.' })
export class SourceInput {
  @Field(() => String, {
    description: 'What the source is called, 1 to 40 of a-z, 0-9 and -. It identifies its listings for ever.',
  })
  name!: string;

  @Field(() => String, { description: 'The kind of the source, such as "vehicle-feed". It is never changed.' })
  kind!: string;

  @Field(() => [SourceFieldInput], { description: 'The fields of this kind; those that are left out are empty.' })
  fields!: SourceFieldInput[];
}
