import { Migration } from '@mikro-orm/migrations';

/**
 * Plain requests are counted in it as well: a crash of the server may empty it, so that no count waits for a disk. Its
 * clean-up finds what is over by the index; a count within its window doesn't write that.
 */
export class Migration025SharedLimits extends Migration {
  override up(): void {
    this.addSql('alter table rate_limits set unlogged');
    this.addSql('create index rate_limits_expire on rate_limits (expire)');
  }

  override down(): void {
    this.addSql('drop index rate_limits_expire');
    this.addSql('alter table rate_limits set logged');
  }
}
