const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
};

/** The message of a caught error, or the caught value as text; for a failed file operation, the path and the reason in words. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '', path } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  return path === undefined || reason === undefined ? error.message : `${path}: ${reason}`;
}

/** The reason for a system error code in words, or the code itself. */
export const reasonFor = (code: string | undefined): string => reasons[code ?? ''] ?? code ?? 'unknown error';
