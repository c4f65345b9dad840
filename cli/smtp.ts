import type { Command } from 'commander';
import type { SmtpLogin } from '../domain/settings/workspace';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError } from './support/errors';
import { reference } from './support/input';
import { findLogin, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const LOGIN = ['<login>', 'username or id'] as const;

const present = (login: SmtpLogin) => ({
  id: login.id,
  workspace_id: login.workspaceId,
  username: login.username,
  created_at: jsonTime(login.createdAt),
});

const withPassword = ({ paint }: Session, login: SmtpLogin, password: string): Answer => ({
  text: fields(paint, [
    ['id', login.id],
    ['workspace', login.workspaceId],
    ['username', login.username],
    ['password', password],
    ['created', showTime(login.createdAt)],
  ]),
  json: { ...present(login), password },
});

const create: VerbSpec = {
  name: 'create',
  summary: 'create a login for the SMTP relay and show its password',
  args: [WORKSPACE],
  examples: [['smtp create "Toko Melati"', 'username and password']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const accounts = await session.accounts();
      await session.note('smtp create', workspace.name, workspace.id);
      const { login, password } = await accounts.createLogin(workspace.id);
      return withPassword(session, login, password);
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'the SMTP logins of a workspace, without their passwords',
  args: [WORKSPACE],
  examples: [['smtp list Demo', 'one per line']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const logins = await session.stores.credentials.listLogins(workspace.id);
      return {
        text: table(
          session.paint,
          [{ title: 'id' }, { title: 'username' }, { title: 'created' }],
          logins.map((login) => [login.id, login.username, showTime(login.createdAt)]),
          `No SMTP logins in ${workspace.name} yet. Create one: kurir smtp create ${workspace.id}`,
        ),
        json: { data: logins.map(present) },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'show an SMTP login with its password; the view is logged',
  args: [LOGIN],
  examples: [['smtp show kur123456', 'by username']],
  run: (input) => {
    const ref = input.arg('login', reference);
    return async (session) => {
      const login = await findLogin(session.stores, ref);
      const accounts = await session.accounts();
      await session.note('smtp show', login.username, login.workspaceId);
      return withPassword(session, login, accounts.viewPassword(login));
    };
  },
};

const rotate: VerbSpec = {
  name: 'rotate',
  summary: 'give an SMTP login a new password and show it; the old one is refused at once',
  args: [LOGIN],
  examples: [['smtp rotate kur123456', 'the username stays']],
  run: (input) => {
    const ref = input.arg('login', reference);
    return async (session) => {
      const login = await findLogin(session.stores, ref);
      const accounts = await session.accounts();
      await session.note('smtp rotate', login.username, login.workspaceId);
      const rotated = await accounts.rotatePassword(login);
      if (!rotated) throw new CommandError(`<login>: ${login.username} is gone.`, '', '<login>');
      return withPassword(session, rotated.login, rotated.password);
    };
  },
};

/** The `kurir smtp` commands. */
export const smtpCommand = (commands: Commands): Command =>
  commands.group('smtp', 'logins of the SMTP relay', [create, list, show, rotate]);
