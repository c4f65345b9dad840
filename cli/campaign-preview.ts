import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { htmlOf, previewMail, putInInbox, SAMPLE_RECIPIENT } from '../app/operator/preview-mail';
import { sandboxFileOf } from '../app/operator/reset-sandbox';
import { sendTestMail } from '../app/operator/test-mail';
import { makeNewId } from '../app/services';
import type { Campaign } from '../domain/campaigns/campaign';
import type { SendingDomain } from '../domain/settings/sending-domain';
import type { Workspace } from '../domain/settings/workspace';
import type { Session, VerbSpec } from './support/command';
import { refusalError, testRefusalError } from './support/campaign-refusals';
import { CommandError } from './support/errors';
import { mailAddress, reference, text, whole, type Input } from './support/input';
import { findCampaign, findDomain, findRecipient, findWorkspace } from './support/lookups';
import { publicUrl } from './support/public-url';
import { printable } from './support/text';

const CAMPAIGN = [
  ['<workspace>', 'id or name'],
  ['<campaign>', 'id'],
] as const;

interface Found {
  workspace: Workspace;
  campaign: Campaign;
  domain: SendingDomain;
}

function readCampaign(input: Input): (session: Session) => Promise<Found> {
  const ref = input.arg('workspace', reference);
  const id = input.arg('campaign', whole(1, Number.MAX_SAFE_INTEGER));
  return async ({ stores }) => {
    const workspace = await findWorkspace(stores, ref);
    const campaign = await findCampaign(stores, workspace.id, id);
    return { workspace, campaign, domain: await findDomain(stores, String(campaign.domainId)) };
  };
}

/** Writes the mail whole, or its HTML when the file is not called `.eml`. */
async function writePreview(out: string, mail: Buffer): Promise<string> {
  const file = resolve(out);
  try {
    writeFileSync(file, /\.eml$/i.test(file) ? mail : ((await htmlOf(mail)) ?? ''));
    return file;
  } catch (error) {
    throw new CommandError(
      `--out: ${printable(file)} cannot be written: ${(error as Error).message}`,
      'Give another one.',
      '--out',
    );
  }
}

function inboxOf({ config }: Session): string {
  const path = config.mtaUrl === null ? sandboxFileOf(config) : null;
  if (path !== null) return path;
  throw new CommandError('There is no sandbox whose inbox could show it.', 'Give --out <file>.', '--out');
}

const preview: VerbSpec = {
  name: 'preview',
  summary: 'show the mail that a contact, or a sample, would get: in a file, or in the inbox of the sandbox',
  args: [...CAMPAIGN, ['[contact]', 'id or address; default: a sample without a name']],
  // A campaign alone, or with an address.
  withoutWorkspace: (values) => values.length === 1 || (values.length === 2 && String(values[1]).includes('@')),
  options: [['--out <file>', 'the whole mail when the name ends in .eml, its HTML otherwise; replaces what is there']],
  examples: [
    ['campaign preview "Toko Melati" 12 budi@example.com --out promo.html', 'to open in a browser'],
    ['campaign preview "Toko Melati" 12 budi@example.com --out promo.eml', 'to open in a mail program'],
    ['campaign preview "Toko Melati" 12 --out promo.html', 'without a contact: merge tags show their fallbacks'],
    ['campaign preview "Toko Melati" 12 budi@example.com', 'in the inbox of the sandbox'],
  ],
  notes: `Nothing is sent or paid, and nothing is counted. Links are those of the content, without tracking; the links to unsubscribe
and to the page of the mail lead nowhere.`,
  run: (input) => {
    const find = readCampaign(input);
    const who = input.optionalArg('contact', reference);
    const out = input.option('out', text(4_096));
    return async (session) => {
      const { campaign, ...rest } = await find(session);
      const contact =
        who === undefined ? SAMPLE_RECIPIENT : await findRecipient(session.stores, rest.workspace.id, who);
      const { html } = campaign;
      if (html === null) {
        throw refusalError({ because: 'no_content' }, campaign);
      }
      const inbox = out === undefined ? inboxOf(session) : null;
      const now = session.clock.now();
      const mail = previewMail(
        { ...rest, campaign: { ...campaign, html }, contact },
        { publicUrl: publicUrl(session), newId: makeNewId(session.clock), now },
      );
      const file = out === undefined ? null : await writePreview(out, mail);
      const id = inbox === null ? null : await putInInbox(inbox, mail, contact.email, now);
      return {
        text: file === null ? `Mail ${id} of the sandbox's inbox: kurir sandbox inbox ${id}\n` : `Written to ${file}\n`,
        json: { to: contact.email, sample: who === undefined, size: mail.length, file, inbox_id: id },
      };
    };
  },
};

const test: VerbSpec = {
  name: 'test',
  summary: 'send one mail of a campaign to an address; it costs a coin as any mail does',
  args: [...CAMPAIGN, ['<address>', 'who gets it']],
  examples: [['campaign test "Toko Melati" 12 siti@melati.example', 'its subject begins with [Test]']],
  notes: 'The address becomes a contact if it is none. The mail is in none of the counts of the campaign.',
  run: (input) => {
    const find = readCampaign(input);
    const address = input.arg('address', mailAddress);
    return async (session) => {
      const found = await find(session);
      await session.note('campaign test', String(found.campaign.id), found.workspace.id);
      const sent = await sendTestMail(session, found, address);
      if ('refused' in sent) throw testRefusalError(sent.refused, found.campaign);
      return {
        text: `Message ${sent.id} is on its way: kurir message show ${sent.id}\n`,
        json: { message_id: sent.id },
      };
    };
  },
};

/** The verbs that show what a campaign will look like. */
export const CAMPAIGN_PREVIEW_VERBS: readonly VerbSpec[] = [preview, test];
