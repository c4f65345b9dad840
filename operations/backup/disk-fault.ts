import { StartError } from '../../lib/start-error';

/** Turns an error of the file system, such as a full disk, into one for the operator; others stay as they are. */
export function explainDiskFault(what: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code)
    ? new StartError(`${what}: ${message}`, { cause: error })
    : error;
}
