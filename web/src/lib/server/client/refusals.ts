import { ApolloLink, Observable } from '@apollo/client';
import { readFault } from '../faults/errors.ts';

interface RefusalHandlers {
  /** Called when the session has ended on the server, so that it ends on the screen too. */
  onSignedOut: () => void;
  /** Called when the plan differs from the shown one. */
  onPlanRefused: () => void;
}

/** Reports refusals that concern more than the failed call, once for each call. */
export function makeRefusalLink({ onSignedOut, onPlanRefused }: RefusalHandlers): ApolloLink {
  const report = (codes: readonly unknown[], operationName: string | undefined) => {
    if (codes.includes('UNAUTHENTICATED') && operationName !== 'Login') onSignedOut();
    if (codes.includes('PLAN_REQUIRED')) onPlanRefused();
  };
  return new ApolloLink(
    (operation, forward) =>
      new Observable((observer) => {
        const subscription = forward(operation).subscribe({
          next(result) {
            report(
              (result.errors ?? []).map(({ extensions }) => extensions?.code),
              operation.operationName,
            );
            observer.next(result);
          },
          error(cause: unknown) {
            report([readFault(cause).code], operation.operationName);
            observer.error(cause);
          },
          complete: () => observer.complete(),
        });
        return () => subscription.unsubscribe();
      }),
  );
}
