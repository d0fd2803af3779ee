import { AppError } from '../errors.ts';

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) that mean the storage failed, not that the statement is wrong. */
const sqliteUnavailable = new Set([
  5, // SQLITE_BUSY
  8, // SQLITE_READONLY
  10, // SQLITE_IOERR
  13, // SQLITE_FULL
  14, // SQLITE_CANTOPEN
]);

const sqliteUnique = new Set([
  1555, // SQLITE_CONSTRAINT_PRIMARYKEY
  2067, // SQLITE_CONSTRAINT_UNIQUE
]);

/** Classes and codes of PostgreSQL, appendix A: connection exceptions, resources, operator intervention, input and output. */
const postgresUnavailable =
  /^(08...|53...|57P0.|57014|25P03|25006|58...|ECONN[A-Z]+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ENOENT|EMFILE|ENFILE)$/;

/** Connection failures to which `pg` gives no code. */
const postgresConnectionMessage =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Client was closed)/;

const field = (error: unknown, name: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;

/** The extended result code of an error of `node:sqlite`. */
function sqliteCode(error: unknown): number | undefined {
  const code = field(error, 'errcode');
  return typeof code === 'number' ? code : undefined;
}

/** Whether SQLite rejected the statement because another connection holds the lock. */
export const isSqliteBusy = (error: unknown): boolean => ((sqliteCode(error) ?? 0) & 0xff) === 5;

/** Turns a failure of the storage itself into `service_unavailable` and returns every other error unchanged. */
export function storageError(error: unknown): unknown {
  return isStorageFailure(error) ? new AppError('service_unavailable', { cause: error }) : error;
}

function isStorageFailure(error: unknown): boolean {
  const sqlite = sqliteCode(error);
  if (sqlite !== undefined) return sqliteUnavailable.has(sqlite & 0xff);
  const code = field(error, 'code');
  if (typeof code === 'string') return postgresUnavailable.test(code);
  return error instanceof Error && postgresConnectionMessage.test(error.message);
}

/** Whether a row with that primary or unique key exists already, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const sqlite = sqliteCode(error);
  return sqlite === undefined ? field(error, 'code') === '23505' : sqliteUnique.has(sqlite);
}
