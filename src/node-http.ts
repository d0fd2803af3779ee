/**
 * `node:http` without the cost of an import: importing reads every export of a Node module, and one of them loads all of
 * `fetch`, a tenth of a bare server's start-up time.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');
