import { OnlineMigration } from './online-migration.ts';

/**
 * The keys of mails and of what the vendor reports of them hold the user, and so does the foreign key between them. A vendor
 * names only the id, by which the keys begin.
 */
export class Migration110UsersInKeysOfMails extends OnlineMigration {
  override up(): void {
    this.replaceReferencedKey('mails', 'id, user_id', [
      { from: 'mail_events', by: 'mail_id, user_id', before: 'mail_id' },
    ]);
    this.replaceKey('mail_events', 'id, user_id');
  }

  override down(): void {
    this.replaceKey('mail_events', 'id');
    this.replaceReferencedKey('mails', 'id', [{ from: 'mail_events', by: 'mail_id', before: 'mail_id, user_id' }]);
  }
}
