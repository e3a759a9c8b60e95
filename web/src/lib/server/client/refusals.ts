import { ApolloLink, Observable } from '@apollo/client';
import { readFault } from '../faults/errors.ts';

interface Heard {
  /** The session ended on the server: it must end on the screen too. */
  onSignedOut: () => void;
  /** The plan is another than the screen shows. */
  onPlanRefused: () => void;
}

/** Tells of refusals that say more than that a call failed, once a refused call. */
export function makeRefusalLink({ onSignedOut, onPlanRefused }: Heard): ApolloLink {
  const hear = (codes: readonly unknown[], operationName: string | undefined) => {
    if (codes.includes('UNAUTHENTICATED') && operationName !== 'Login') onSignedOut();
    if (codes.includes('PLAN_REQUIRED')) onPlanRefused();
  };
  return new ApolloLink(
    (operation, forward) =>
      new Observable((observer) => {
        const subscription = forward(operation).subscribe({
          next(result) {
            hear(
              (result.errors ?? []).map(({ extensions }) => extensions?.code),
              operation.operationName,
            );
            observer.next(result);
          },
          error(cause: unknown) {
            hear([readFault(cause).code], operation.operationName);
            observer.error(cause);
          },
          complete: () => observer.complete(),
        });
        return () => subscription.unsubscribe();
      }),
  );
}
