/** The last migration that this version needs. Generated with the list of migrations. */
export const latestMigration = '120-versions-of-clusters';
