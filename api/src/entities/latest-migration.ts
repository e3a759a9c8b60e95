/** The last migration that this version needs. Generated with the list of migrations. */
export const latestMigration = '110-users-in-keys-of-mails';
