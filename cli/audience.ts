import type { Command } from 'commander';
import { PUBLIC_TOKEN_LENGTH, type Audience } from '../domain/audience';
import { randomText } from '../lib/random-text';
import type { Commands, Session, VerbSpec } from './support/command';
import { exportVerb } from './support/contact-export';
import { importVerb } from './support/contact-import';
import { oneOf, reference, text } from './support/input';
import { findAudience, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;

const present = (audience: Audience) => ({
  id: audience.id,
  workspace_id: audience.workspaceId,
  name: audience.name,
  description: audience.description,
  public_token: audience.publicToken,
  opt_in_mode: audience.optInMode,
  created_at: jsonTime(audience.createdAt),
  updated_at: jsonTime(audience.updatedAt),
  contacts_count: audience.contactsCount,
});

const answerAudience = ({ paint }: Session, audience: Audience): Answer => ({
  text: fields(paint, [
    ['id', audience.id],
    ['name', audience.name],
    ['workspace', audience.workspaceId],
    ['description', audience.description],
    ['opt-in', audience.optInMode],
    ['public token', audience.publicToken],
    ['members', audience.contactsCount],
    ['created', showTime(audience.createdAt)],
    ['changed', showTime(audience.updatedAt)],
  ]),
  json: present(audience),
});

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
    return async ({ stores, paint }) => {
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
        json: { data: audiences.map(present) },
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

/** The `kurir audience` commands. */
export const audienceCommand = (commands: Commands): Command =>
  commands.group('audience', 'audiences: lists of contacts that campaigns go to', [
    create,
    list,
    show,
    importVerb('audience'),
    exportVerb('audience'),
  ]);
