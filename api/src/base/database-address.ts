/** The address of a pooler that lends a connection to the server for one transaction, such as PgBouncer. */
export interface PoolerAddress {
  pooler: string;
}

/** Where statements and transactions go: to the server itself, or to a pooler before it. */
export type DatabaseAddress = string | PoolerAddress;

export const isPooler = (address: DatabaseAddress): address is PoolerAddress => typeof address !== 'string';

export const urlOf = (address: DatabaseAddress): string => (isPooler(address) ? address.pooler : address);
