import type { CallLimits } from '../accounts/call-limits.ts';
import type { Caller } from '../accounts/signed-in.ts';
import type { Log } from '../base/log.ts';
import type { RunOperation } from '../graphql/run-operation.ts';
import type { AddressOf } from '../http/client-address.ts';
import { type DrawnPages, makeDrawnPages } from '../http/drawn/drawn-pages.ts';

interface VisitorParts {
  /** `web/dist`. */
  folder: string;
  publicUrl: string;
  run: RunOperation;
  log: Log;
  limits: CallLimits;
  addressOf: AddressOf;
}

/** Draws public pages with the data that anybody may read. */
export function drawForVisitors({ run, limits, addressOf, ...parts }: VisitorParts): DrawnPages {
  return makeDrawnPages({
    ...parts,
    count: (request) => limits.request(null, addressOf(request)),
    asVisitor(isTestMode) {
      const visitor: Caller = {
        viewer: null,
        session: null,
        address: '127.0.0.1',
        host: isTestMode ? 'localhost' : undefined,
      };
      return (document, variables) => run(document, variables, visitor);
    },
  });
}
