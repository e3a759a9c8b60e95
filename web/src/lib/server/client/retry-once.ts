import { ApolloLink, Observable } from '@apollo/client';

const PAUSE_MS = 500;

/** Repeats a call with `context: { retryOnce: true }` once when it fails or is refused. */
export const retryOnce = new ApolloLink((operation, forward) => {
  if (operation.getContext().retryOnce !== true) return forward(operation);
  return new Observable((observer) => {
    let pause: ReturnType<typeof setTimeout> | undefined;
    const attempt = (isLast: boolean) => {
      let isOver = false;
      const again = () => {
        isOver = true;
        pause = setTimeout(() => {
          current = attempt(true);
        }, PAUSE_MS);
      };
      return forward(operation).subscribe({
        next(result) {
          if (result.errors && !isLast) again();
          else observer.next(result);
        },
        error(cause: unknown) {
          if (isLast) observer.error(cause);
          else again();
        },
        complete() {
          if (!isOver) observer.complete();
        },
      });
    };
    let current = attempt(false);
    return () => {
      clearTimeout(pause);
      current.unsubscribe();
    };
  });
});
