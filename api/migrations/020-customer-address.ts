import { Migration } from '@mikro-orm/migrations';

/** Which address Stripe has of a customer. Of those that are known already it is told once more. */
export class Migration020CustomerAddress extends Migration {
  override up(): void {
    this.addSql('alter table billing_customers add column told_email text');
  }

  override down(): void {
    this.addSql('alter table billing_customers drop column told_email');
  }
}
