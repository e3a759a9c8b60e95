import { ApolloClient, ApolloLink, gql, InMemoryCache, Observable } from '@apollo/client';
import { expect, it, vi } from 'vitest';
import { makePasswordLink } from './password-link.ts';

const mutation = gql('mutation ExportMyData { exportMyData }');
const refusal = (code: string) => ({ errors: [{ message: code, extensions: { code } }] });
const done = { data: { exportMyData: 'all' } };

/** A server with these answers, one after the other. */
function serving(answers: object[], askPassword: () => Promise<boolean>) {
  const calls = vi.fn();
  const server = new ApolloLink(
    () =>
      new Observable((observer) => {
        calls();
        observer.next(answers.shift() ?? {});
        observer.complete();
      }),
  );
  const client = new ApolloClient({ cache: new InMemoryCache(), link: makePasswordLink(askPassword).concat(server) });
  return { mutate: () => client.mutate({ mutation }), calls };
}

it('sends a call again after the password was given', async () => {
  const askPassword = vi.fn(() => Promise.resolve(true));
  const { mutate, calls } = serving([refusal('PASSWORD_NEEDED'), done], askPassword);
  expect((await mutate()).data).toEqual({ exportMyData: 'all' });
  expect([askPassword.mock.calls.length, calls.mock.calls.length]).toEqual([1, 2]);
});

it('lets a call fail if the password was not given, or is needed again', async () => {
  const withheld = serving([refusal('PASSWORD_NEEDED'), done], () => Promise.resolve(false));
  await expect(withheld.mutate()).rejects.toThrow('PASSWORD_NEEDED');
  expect(withheld.calls).toHaveBeenCalledTimes(1);
  const again = serving([refusal('PASSWORD_NEEDED'), refusal('PASSWORD_NEEDED'), done], () => Promise.resolve(true));
  await expect(again.mutate()).rejects.toThrow('PASSWORD_NEEDED');
  expect(again.calls).toHaveBeenCalledTimes(2);
});

it('asks for no password after any other answer', async () => {
  const askPassword = vi.fn(() => Promise.resolve(true));
  await expect(serving([refusal('FORBIDDEN')], askPassword).mutate()).rejects.toThrow('FORBIDDEN');
  expect((await serving([done], askPassword).mutate()).data).toEqual({ exportMyData: 'all' });
  expect(askPassword).not.toHaveBeenCalled();
});
