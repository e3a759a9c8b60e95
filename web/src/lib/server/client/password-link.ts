import { ApolloLink, Observable } from '@apollo/client';
import { isPasswordNeeded } from '../faults/errors.ts';

/** Delays a call that needs the password, and sends it again after the password was given. */
export function makePasswordLink(askPassword: () => Promise<boolean>): ApolloLink {
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
              void askPassword().then((given) => {
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
