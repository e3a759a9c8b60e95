import { OnlineMigration } from './online-migration.ts';

/** A text about cars has the kind of its message, as mails and push messages have. */
export class Migration072KindsOfTexts extends OnlineMigration {
  private allowKinds(kinds: readonly string[]): void {
    this.replaceCheck('texts', 'texts_kind_check', `kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`);
  }

  override up(): void {
    this.allowKinds(['match', 'price_drop', 'digest', 'summary', 'sold', 'code']);
  }

  override down(): void {
    this.addSql("update texts set kind = 'match' where kind <> 'code';");
    this.allowKinds(['match', 'code']);
  }
}
