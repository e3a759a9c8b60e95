/** The last migration that this version needs. Generated with the list of migrations. */
export const latestMigration = '117-users-in-keys-of-matches';
