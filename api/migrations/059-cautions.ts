import { Migration } from '@mikro-orm/migrations';

/** Why a buyer should look twice: what the advert says of payment, and where the same photo is shown far away. */
export class Migration059Cautions extends Migration {
  override up(): void {
    this.addSql('alter table listings add column prepayment text, add column photo_place text;');
  }

  override down(): void {
    this.addSql('alter table listings drop column prepayment, drop column photo_place;');
  }
}
