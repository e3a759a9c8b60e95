import { Migration } from '@mikro-orm/migrations';

/** Which version a cluster was prepared for, by which a later one knows what it has to bring about there. */
export class Migration120VersionsOfClusters extends Migration {
  override up(): void {
    this.addSql('alter table database_layout add column if not exists cluster_version int4;');
  }

  override down(): void {
    this.addSql('alter table database_layout drop column if exists cluster_version;');
  }
}
