import { MongoServerError } from 'mongodb';

/** Compared by name: two libraries have a MongoParseError. */
const URL_ERRORS = new Set(['MongoParseError', 'MongoInvalidArgumentError', 'MongoMissingCredentialsError']);
/** AuthenticationFailed, and the code the hosted service uses for it. */
const LOGIN_REFUSED = new Set<unknown>([18, 8000]);
const UNAUTHORIZED = 13;

/**
 * What the operator must fix in the URL if that caused the connection error; null for any other error. Contains neither
 * the user's name nor the password.
 */
export function urlFault(url: string, error: unknown): string | null {
  if (error instanceof MongoServerError) {
    if (LOGIN_REFUSED.has(error.code)) return 'the login was refused: check the user name, password and authSource.';
    if (error.code === UNAUTHORIZED) return 'its user lacks permissions: give it the role dbOwner.';
    return null;
  }
  const { name = '', syscall, message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (syscall === 'open') return `a file in it cannot be read: ${message}.`;
  const isOfUrl = URL_ERRORS.has(name) || (name === 'MongoRuntimeError' && message.startsWith('Unable to parse'));
  return isOfUrl ? `it is not valid: ${reasonOf(url, message)}` : null;
}

/**
 * The driver repeats what it took for a host or an option: part of the password, if that contains an unescaped `/` or
 * `?`.
 */
function reasonOf(url: string, message: string): string {
  const advice = 'Write characters such as % : / ? # @ in the user name and password as %25, %3A and so on.';
  const isClear = !/[/?].*@/s.test(url.replace(/^[^/]*\/\//, ''));
  return isClear ? `${message.replace(/\.?$/, '.')} ${advice}` : advice;
}
