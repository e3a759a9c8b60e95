import { untilTrue } from '../../lab/until-true.ts';

/** The buyer as whom an api is asked. */
export interface Asked {
  cookie: string;
}

const BACK_MS = 60_000;
const PAUSE_MS = 10;
const query = JSON.stringify({ query: '{ me { id newCount } }' });

/**
 * Waits until an api answers, by what it reads in the database from now on: the session, the buyer and a count. Call it once
 * the database is back, as sessions of a server that was killed may answer for another moment.
 * @returns when it answered, in milliseconds since 1970
 */
export async function untilServed(url: string, { cookie }: Asked): Promise<number> {
  const headers = { cookie, 'content-type': 'application/json' };
  await untilTrue(
    `that ${url} answers`,
    BACK_MS,
    async () => {
      const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: query });
      const text = await answer.text();
      return answer.status === 200 && text.startsWith('{"data":{"me":{') && !text.includes('"errors"');
    },
    PAUSE_MS,
  );
  return Date.now();
}
