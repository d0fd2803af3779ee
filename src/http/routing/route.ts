import type { Family } from '../endpoint.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationMetrics } from '../timing/request-metrics.ts';

/** What answers the requests of one method to the paths of one pattern. */
export interface Route {
  /** `GET` answers `HEAD` too. */
  readonly method: string;
  /** In OpenAPI's notation: `/domain/{domain}`; with `/*` at its end it takes every path below that no other route has. */
  readonly path: string;
  /** The last segment of the path is never a value of another route's: methods it does not take are refused. */
  readonly reserved?: true | undefined;
  /** Whose errors it speaks; left out, that of the path. */
  readonly family?: Family;
  /** What its responses are counted as; without it only failures are counted, as `unknown`. */
  readonly operation?: OperationMetrics;
  /** What is refused there does not count against the address. */
  readonly isConsole?: boolean;
  /** Answers, or throws what the answer is to be made of. */
  serve(exchange: Exchange): unknown;
}
