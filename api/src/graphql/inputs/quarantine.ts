import { ArgsType, Field, ID } from 'type-graphql';

@ArgsType()
export class QuarantineArgs {
  @Field(() => String, { nullable: true, description: 'Only records of this source.' })
  source?: string | null;

  @Field(() => String, { nullable: true, description: 'Only records with this code.' })
  code?: string | null;
}

@ArgsType()
export class RecordsArgs extends QuarantineArgs {
  @Field(() => [ID], { nullable: true, description: 'Only these records, at most 1,000.' })
  ids?: string[] | null;
}
