import type { Family } from '../endpoint.ts';
import type { Exchange } from '../exchange.ts';
import type { OperationMetrics } from '../timing/request-metrics.ts';

/** Answers the requests of one method to the paths of one pattern. */
export interface Route {
  /** `GET` answers `HEAD` too. */
  readonly method: string;
  /** In OpenAPI's notation: `/domain/{domain}`; with `/*` at its end it takes every path below that no other route has. */
  readonly path: string;
  /** The last segment of the path is never a value of another route: other methods are rejected. */
  readonly reserved?: true | undefined;
  /** The family of its errors; by default the path's. */
  readonly family?: Family;
  /** The operation that its responses are counted as; without it only failures are counted, as `unknown`. */
  readonly operation?: OperationMetrics;
  /** Refusals do not count against the IP address. */
  readonly isConsole?: boolean;
  /** Answers, or throws the error to answer with. */
  serve(exchange: Exchange): unknown;
}
