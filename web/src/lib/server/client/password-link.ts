import { ApolloLink, Observable } from '@apollo/client';
import { isPasswordNeeded } from '../faults/errors.ts';

/** Holds a call that the server wants the password for, and sends it again once it was given. */
export function makePasswordLink(askForPassword: () => Promise<boolean>): ApolloLink {
  return new ApolloLink(
    (operation, forward) =>
      new Observable((observer) => {
        let isOver = false;
        const send = (isLast: boolean) =>
          forward(operation).subscribe({
            next(result) {
              if (isLast || !result.errors?.some(({ extensions }) => isPasswordNeeded(extensions?.code))) {
                observer.next(result);
                observer.complete();
                return;
              }
              void askForPassword().then((given) => {
                if (isOver) return;
                if (given) {
                  sent = send(true);
                  return;
                }
                observer.next(result);
                observer.complete();
              });
            },
            error: (cause: unknown) => observer.error(cause),
          });
        let sent = send(false);
        return () => {
          isOver = true;
          sent.unsubscribe();
        };
      }),
  );
}
