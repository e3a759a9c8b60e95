import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { type CountsForAdmin, countForAdmin } from '../../rights/count-for-admin.ts';
import type { Context } from '../context.ts';

@ObjectType({ description: "How much each tab of the admin's page holds." })
class AdminCounts implements CountsForAdmin {
  @Field(() => Int, { description: 'Deletion requests that wait for a decision.' })
  pending!: number;

  @Field(() => Int, { description: 'Deletion requests that are approved and not yet executed.' })
  approved!: number;

  @Field(() => Int, { description: 'Deletion requests that were rejected.' })
  rejected!: number;

  @Field(() => Int, { description: 'Deletion requests that were executed.' })
  completed!: number;

  @Field(() => Int, { description: 'Sources of listings.' })
  sources!: number;

  @Field(() => Int, { description: 'Quarantined records.' })
  quarantine!: number;

  @Field(() => Int, { description: 'Texts that the provider may or may not have accepted.' })
  unknownTexts!: number;

  @Field(() => Int, { description: 'Entries of the audit log.' })
  auditEntries!: number;
}

@Resolver()
export class AdminCountsResolver {
  @Query(() => AdminCounts, { description: "How much each tab of the admin's page holds. Admin only." })
  adminCounts(@Ctx() { parts }: Context): Promise<AdminCounts> {
    return countForAdmin(parts.pool);
  }
}
