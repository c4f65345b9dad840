import { MongoServerError } from 'mongodb';

/** By name: two libraries have a MongoParseError. */
const URL_ERRORS = new Set(['MongoParseError', 'MongoInvalidArgumentError', 'MongoMissingCredentialsError']);
/** AuthenticationFailed, and what the hosted service calls it. */
const LOGIN_REFUSED = new Set<unknown>([18, 8000]);
const UNAUTHORIZED = 13;

/**
 * What the operator has to mend about the URL when this is the error of who connected with it; null when it is another. Nothing
 * of the user's name and password is in it.
 */
export function urlFault(url: string, error: unknown): string | null {
  if (error instanceof MongoServerError) {
    if (LOGIN_REFUSED.has(error.code)) return 'the login was refused: check user name, password and authSource.';
    if (error.code === UNAUTHORIZED) return 'its user may not do what is needed: give it the role dbOwner.';
    return null;
  }
  const { name = '', syscall, message = '' } = error as Partial<NodeJS.ErrnoException>;
  if (syscall === 'open') return `a file that it names cannot be read: ${message}.`;
  const isOfUrl = URL_ERRORS.has(name) || (name === 'MongoRuntimeError' && message.startsWith('Unable to parse'));
  return isOfUrl ? `it is not valid: ${reasonOf(url, message)}` : null;
}

/** The driver repeats what it takes for a host or an option: a part of the password, where that holds a bare `/` or `?`. */
function reasonOf(url: string, message: string): string {
  const advice = 'Characters such as % : / ? # @ in user name and password are written as %25, %3A and so on.';
  const isClear = !/[/?].*@/s.test(url.replace(/^[^/]*\/\//, ''));
  return isClear ? `${message.replace(/\.?$/, '.')} ${advice}` : advice;
}
