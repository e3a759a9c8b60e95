import { ArgsType, Field, ID } from 'type-graphql';

@ArgsType()
export class QuarantineArgs {
  @Field(() => String, { nullable: true, description: 'Only of this source.' })
  source?: string | null;

  @Field(() => String, { nullable: true, description: 'Only with this code.' })
  code?: string | null;
}

@ArgsType()
export class RecordsArgs extends QuarantineArgs {
  @Field(() => [ID], { nullable: true, description: 'Only these, 1,000 at most.' })
  ids?: string[] | null;
}
