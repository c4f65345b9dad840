import type { Access } from '../../domain/people/access';
import type { Role } from '../../domain/people/role';
import type { Stores } from '../../stores/ports';
import { ForbiddenError, NotFoundError, OperationError } from './errors';
import { why } from './reasons';
import { fieldName, Finding, type Param, type Params } from './params';

/** What an operation asks for, and of whom. */
interface Asked {
  role: Role;
  arguments: Params;
  options: Params;
}

/** What an input names that the caller may or may not see. */
interface Named {
  entered: ReadonlySet<number>;
  /** Something to be looked up was given, whether it was found or not. */
  isGiven: boolean;
  /** The workspace that was named is not there, for this caller. */
  missed: NotFoundError | null;
  /** Something else that was named is not there. */
  isLost: boolean;
}

/** Throws ForbiddenError unless the caller has the role where it is to be used; no workspace is the installation. */
export function admit(access: Access, role: Role, entered: ReadonlySet<number>): void {
  const about = entered.size === 0 ? [null] : [...entered];
  if (about.every((workspaceId) => access.may(role, workspaceId))) return;
  throw forbidden(role, entered.size === 0);
}

const forbidden = (role: Role, isInstallation: boolean): ForbiddenError =>
  new ForbiddenError(why(isInstallation ? 'role_installation' : 'role', { role }));

/**
 * Refuses a caller without the role before anything else of the input is judged: what is wrong with the input is told
 * to those only who may do it. What the input names is looked up, as far as it can be read, since that says where the
 * role is needed. Throws ForbiddenError, and NotFoundError for a workspace that is not there for this caller.
 */
export async function admitFirst(
  asked: Asked,
  input: Readonly<Record<string, unknown>>,
  { stores, access }: { stores: Stores; access: Access },
): Promise<void> {
  const { role } = asked;
  if (access.may('operator', null)) return;
  const { entered, isGiven, missed, isLost } = await namedIn(asked, input, new Finding(stores, access));
  if (missed) throw missed;
  if (entered.size > 0) return admit(access, role, entered);
  if (access.holds(role)) {
    // What must be named is missing, or cannot be read: which workspace it is about is not known.
    if (!isGiven && !needsName(asked)) admit(access, role, entered);
    return;
  }
  // To somebody who belongs to no workspace nothing of one exists.
  if (!isLost || access.holds('viewer')) throw forbidden(role, !isGiven && !needsName(asked));
}

const paramsOf = ({ arguments: args, options }: Asked): [key: string, param: Params[string]][] =>
  Object.entries({ ...args, ...options }).filter(([, param]) => param.find !== undefined);

const needsName = (asked: Asked): boolean => paramsOf(asked).some(([, { form }]) => form === 'required');

/** The workspace first: what else is named lies in it, and has no other role. */
async function namedIn(asked: Asked, input: Readonly<Record<string, unknown>>, finding: Finding): Promise<Named> {
  const named = { entered: finding.entered, isGiven: false, missed: null as NotFoundError | null, isLost: false };
  const params = paramsOf(asked).sort(([a], [b]) => Number(b === 'workspace') - Number(a === 'workspace'));
  for (const [key, param] of params) {
    const value = Object.hasOwn(input, fieldName(key)) ? input[fieldName(key)] : null;
    const isGiven = value !== null && value !== undefined;
    if (isGiven) {
      named.isGiven = true;
      finding.label = param.placeholder === undefined ? `<${key}>` : `--${fieldName(key).replaceAll('_', '-')}`;
      const end = await lookUp(param, value, finding);
      if (end instanceof NotFoundError && key === 'workspace') named.missed = end;
      else named.isLost ||= end instanceof NotFoundError;
    }
    // What else is named cannot be looked up without the workspace, or says no more.
    if (key === 'workspace' && (isGiven || param.form === 'required')) return named;
  }
  return named;
}

/** Why it is not found; null if it is, or if it cannot be read. */
async function lookUp(
  param: Param<unknown, unknown>,
  value: unknown,
  finding: Finding,
): Promise<OperationError | null> {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  if (text.includes('\0')) return null;
  try {
    await param.find?.(param.read(text, finding.label), finding);
    return null;
  } catch (error) {
    if (error instanceof OperationError) return error;
    throw error;
  }
}
