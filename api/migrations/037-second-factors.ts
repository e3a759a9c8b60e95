import { Migration } from '@mikro-orm/migrations';

/** What an authenticator app shares with an account, and the codes for when the phone is gone. */
export class Migration037SecondFactors extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table second_factors (
        user_id int8 primary key references users on delete cascade,
        secret_box text not null,
        created_at timestamptz not null default now(),
        confirmed_at timestamptz,
        last_step int8
      );
      create table recovery_codes (
        user_id int8 not null references second_factors on delete cascade,
        code_hash text not null,
        used_at timestamptz,
        primary key (user_id, code_hash)
      );
    `);
    // What the admin has to do first is noted at the login.
    this.addSql(`delete from session where sess ->> 'userId' = '1'`);
  }

  override down(): void {
    this.addSql('drop table recovery_codes; drop table second_factors;');
  }
}
