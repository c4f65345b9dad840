import type { SmtpLogin } from '../../domain/settings/workspace';
import { type Columns, facts, login, operation, OperationError, workspace, why } from '../definition';

const present = (of: SmtpLogin) => facts(of, 'id', 'workspaceId', 'username', 'createdAt');
const withPassword = (of: SmtpLogin, password: string) => ({ ...present(of), password });

const DETAILS: Columns<ReturnType<typeof withPassword>> = {
  id: 'id',
  workspace: 'workspace_id',
  username: 'username',
  password: 'password',
  created: 'created_at',
};

const create = operation('smtp.create', 'developer', {
  summary: 'create an SMTP relay login and show its password',
  arguments: { workspace },
  examples: [['smtp create "Toko Melati"', 'username and password']],
  handler: async ({ workspace: { id, name } }, session) => {
    const accounts = await session.accounts();
    await session.note('smtp create', name, id);
    const made = await accounts.createLogin(id);
    return withPassword(made.login, made.password);
  },
  details: DETAILS,
});

const list = operation('smtp.list', 'developer', {
  summary: 'list the SMTP logins of a workspace, without their passwords',
  arguments: { workspace },
  examples: [['smtp list Demo', 'one per line']],
  handler: async (input, { stores }) => ({
    data: (await stores.credentials.listLogins(input.workspace.id)).map(present),
  }),
  columns: { id: 'id', username: 'username', created: 'created_at' },
  none: ({ workspace: { id, name } }) => `No SMTP logins in ${name} yet. Create one: kurir smtp create ${id}`,
});

const show = operation('smtp.show', 'developer', {
  summary: 'show an SMTP login with its password; the view is logged',
  arguments: { login },
  examples: [['smtp show kur123456', 'by username']],
  handler: async (input, session) => {
    const accounts = await session.accounts();
    await session.note('smtp show', input.login.username, input.login.workspaceId);
    return withPassword(input.login, accounts.viewPassword(input.login));
  },
  details: DETAILS,
});

const rotate = operation('smtp.rotate', 'developer', {
  irreversible: true,
  summary: 'replace the password of an SMTP login and show it; the old password stops working immediately',
  arguments: { login },
  examples: [['smtp rotate kur123456', 'the username does not change']],
  handler: async (input, session) => {
    const { username, workspaceId } = input.login;
    const accounts = await session.accounts();
    await session.note('smtp rotate', username, workspaceId);
    const rotated = await accounts.rotatePassword(input.login);
    if (!rotated) throw new OperationError(why('gone', { label: '<login>', name: username }));
    return withPassword(rotated.login, rotated.password);
  },
  details: DETAILS,
});

export const SMTP = { create, list, show, rotate };
