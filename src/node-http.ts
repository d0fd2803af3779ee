/**
 * `node:http`, without what an import of it costs: importing reads every export of a module of Node, and one of them loads
 * the whole of `fetch`, a tenth of the time in which a bare server starts.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');
