import type { Command } from 'commander';
import { domainToASCII } from 'node:url';
import { PUBLIC_TOKEN_LENGTH, type Audience } from '../domain/contacts/audience';
import { FORM_BOUNCES, resumeForm } from '../domain/contacts/form-brake';
import { randomText } from '../lib/random-text';
import type { Member } from '../stores/ports/audience-store';
import type { Commands, Session, VerbSpec } from './support/command';
import { exportVerb } from './support/contact-export';
import { importVerb } from './support/contact-import';
import { CommandError, UsageError } from './support/errors';
import { oneOf, reference, text, whole, type Read } from './support/input';
import { findAudience, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { publicUrl } from './support/public-url';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;

const present = (session: Session, audience: Audience) => ({
  id: audience.id,
  workspace_id: audience.workspaceId,
  name: audience.name,
  description: audience.description,
  public_token: audience.publicToken,
  opt_in_mode: audience.optInMode,
  redirect_hosts: audience.redirectHosts,
  form_paused_at: jsonTime(audience.formBrake.pausedAt),
  created_at: jsonTime(audience.createdAt),
  updated_at: jsonTime(audience.updatedAt),
  contacts_count: audience.contactsCount,
  form_url: formLink(session, audience),
});

/** The link of the public form; its path alone while the address of the service is not known. */
function formLink(session: Session, { publicToken }: Audience): string {
  const path = `/f/${publicToken}`;
  try {
    return publicUrl(session) + path;
  } catch (error) {
    if (error instanceof CommandError) return path;
    throw error;
  }
}

const answerAudience = (session: Session, audience: Audience): Answer => ({
  text: fields(session.paint, [
    ['id', audience.id],
    ['name', audience.name],
    ['workspace', audience.workspaceId],
    ['description', audience.description],
    ['opt-in', audience.optInMode],
    ['public token', audience.publicToken],
    ['form', formLink(session, audience)],
    ['form paused', pausedText(audience)],
    ['redirect hosts', audience.redirectHosts.join(', ') || null],
    ['members', audience.contactsCount],
    ['created', showTime(audience.createdAt)],
    ['changed', showTime(audience.updatedAt)],
  ]),
  json: present(session, audience),
});

const pausedText = ({ formBrake: { pausedAt } }: Audience): string | null =>
  pausedAt === null
    ? null
    : `since ${showTime(pausedAt)}: ${FORM_BOUNCES} confirmation mails bounced within a day; go on: audience set --resume-form`;

const create: VerbSpec = {
  name: 'create',
  summary: 'create an empty audience',
  args: [WORKSPACE, ['<name>', 'name of the audience']],
  options: [
    ['--description <text>', 'what it is for'],
    [
      '--opt-in <mode>',
      'single, or double: a member must confirm by email before it receives campaigns; default: single',
    ],
  ],
  examples: [
    ['audience create "Toko Melati" Pelanggan', 'who joins is a member'],
    ['audience create "Toko Melati" Kabar --opt-in double', 'who joins must confirm'],
  ],
  notes: 'The API makes audiences of single opt-in only.',
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('name', text());
    const description = input.option('description', text(1_000)) ?? null;
    const optInMode = input.option('optIn', oneOf('single', 'double')) ?? 'single';
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      await session.note('audience create', `${name}, ${optInMode} opt-in`, workspace.id);
      const audience = await session.stores.audiences.create({
        workspaceId: workspace.id,
        name,
        description,
        publicToken: randomText(PUBLIC_TOKEN_LENGTH),
        optInMode,
        createdAt: session.clock.now(),
      });
      return answerAudience(session, audience);
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'the audiences of a workspace',
  args: [WORKSPACE],
  examples: [['audience list "Toko Melati"', 'one per line']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async (session) => {
      const { stores, paint } = session;
      const audiences = await stores.audiences.list((await findWorkspace(stores, ref)).id);
      return {
        text: table(
          paint,
          [{ title: 'id' }, { title: 'name' }, { title: 'opt-in' }, { title: 'members' }, { title: 'created' }],
          audiences.map((audience) => [
            audience.id,
            audience.name,
            audience.optInMode,
            audience.contactsCount,
            showTime(audience.createdAt),
          ]),
          'No audiences yet. Create one: kurir audience create <workspace> <name>',
        ),
        json: { data: audiences.map((audience) => present(session, audience)) },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'one audience',
  args: [WORKSPACE, ['<audience>', 'id or name']],
  examples: [
    ['audience show "Toko Melati" Pelanggan', 'by name'],
    ['audience show 3 7', 'by ids'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('audience', reference);
    return async (session) => {
      const { id } = await findWorkspace(session.stores, ref);
      return answerAudience(session, await findAudience(session.stores, id, name));
    };
  },
};

/** `none`, or host names separated by commas. */
const hosts: Read<string[]> = (raw) => {
  if (raw.trim() === 'none') return [];
  const names = raw.split(',').map((name) => domainToASCII(name.trim().toLowerCase()));
  if (names.every((name) => HOST.test(name))) return [...new Set(names)];
  throw new RangeError('must be host names separated by commas, such as toko.example,www.toko.example, or none');
};
const HOST = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const set: VerbSpec = {
  name: 'set',
  summary: 'change how contacts join an audience, and where its public form may lead on to',
  args: [WORKSPACE, ['<audience>', 'id or name']],
  options: [
    ['--opt-in <mode>', 'single, or double: a member must confirm by email'],
    [
      '--redirect-hosts <hosts>',
      'hosts that the form may lead on to over https, separated by commas; none: no other site',
    ],
    ['--resume-form', 'send confirmation mails again after bounces have paused them; who asked before must ask again'],
  ],
  examples: [
    ['audience set "Toko Melati" Kabar --opt-in double', 'who joins from now on must confirm'],
    ['audience set "Toko Melati" Kabar --redirect-hosts toko.example,www.toko.example', 'for a form on your own site'],
    ['audience set "Toko Melati" Kabar --resume-form', 'after you have seen to its bounces'],
  ],
  notes: 'Members stay what they are: confirmed ones need not confirm, and pending ones still have to.',
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('audience', reference);
    const optInMode = input.option('optIn', oneOf('single', 'double'));
    const redirectHosts = input.option('redirectHosts', hosts);
    const resumes = input.has('resumeForm');
    if (optInMode === undefined && redirectHosts === undefined && !resumes) {
      throw new UsageError('Nothing to change.', 'Give --opt-in, --redirect-hosts or --resume-form.', '--opt-in');
    }
    return async (session) => {
      const { stores, clock } = session;
      const { id: workspaceId } = await findWorkspace(stores, ref);
      const { id } = await findAudience(stores, workspaceId, name);
      const formBrake = resumes && resumeForm(clock.now());
      const change = {
        ...(optInMode && { optInMode }),
        ...(redirectHosts && { redirectHosts }),
        ...(formBrake && { formBrake }),
      };
      const what = [
        ...(optInMode ? [`${optInMode} opt-in`] : []),
        ...(redirectHosts ? [`redirect hosts ${redirectHosts.join(', ') || 'none'}`] : []),
        ...(resumes ? ['form resumed'] : []),
      ];
      await session.note('audience set', `audience ${id}: ${what.join('; ')}`, workspaceId);
      const audience = await stores.audiences.change(workspaceId, id, change, clock.now());
      return answerAudience(session, audience ?? (await findAudience(stores, workspaceId, name)));
    };
  },
};

const presentMember = ({ contact, joinedAt, confirmedAt, pendingUntil }: Member) => ({
  contact_id: contact.id,
  email: contact.email,
  name: contact.name,
  status: contact.status,
  membership: membershipOf({ confirmedAt }),
  joined_at: jsonTime(joinedAt),
  confirmed_at: jsonTime(confirmedAt),
  pending_until: jsonTime(confirmedAt === null ? pendingUntil : null),
});
const membershipOf = ({ confirmedAt }: Pick<Member, 'confirmedAt'>) => (confirmedAt === null ? 'pending' : 'confirmed');

const members: VerbSpec = {
  name: 'members',
  summary: 'the members of an audience, and who has not confirmed yet',
  args: [WORKSPACE, ['<audience>', 'id or name']],
  options: [
    ['--limit <n>', 'members at most, 1 to 1000; default: 50'],
    ['--after <id>', 'the next page: the id of the last contact'],
  ],
  examples: [['audience members "Toko Melati" Kabar', 'the first 50']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('audience', reference);
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    const after = input.option('after', whole(0, Number.MAX_SAFE_INTEGER)) ?? 0;
    return async ({ stores, paint }) => {
      const { id: workspaceId } = await findWorkspace(stores, ref);
      const { id } = await findAudience(stores, workspaceId, name);
      const page = await stores.bulkContacts.members(workspaceId, id, after, limit);
      const columns = ['id', 'email', 'name', 'status', 'membership', 'joined', 'pending until'];
      return {
        text: table(
          paint,
          columns.map((title) => ({ title })),
          page.map((member) => [
            member.contact.id,
            member.contact.email,
            member.contact.name,
            member.contact.status,
            membershipOf(member),
            showTime(member.joinedAt),
            showTime(member.confirmedAt === null ? member.pendingUntil : null),
          ]),
          'No members yet.',
        ),
        json: {
          data: page.map(presentMember),
          next_after: page.length === limit ? (page.at(-1)?.contact.id ?? null) : null,
        },
      };
    };
  },
};

/** The `kurir audience` commands. */
export const audienceCommand = (commands: Commands): Command =>
  commands.group('audience', 'audiences: lists of contacts that campaigns go to', [
    create,
    list,
    show,
    set,
    importVerb('audience'),
    members,
    exportVerb('audience'),
  ]);
