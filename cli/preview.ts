import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { htmlOf, previewMail, putInInbox, SAMPLE_RECIPIENT } from '../operations/messages/preview-mail';
import { sandboxFileOf } from '../operations/sandbox/reset-sandbox';
import { makeNewId } from '../lib/new-id';
import { printable } from '../lib/printable';
import { domainOf } from '../operations/campaigns/campaign';
import { refusalError } from '../operations/campaigns/campaign-refusals';
import { publicUrl } from '../operations/installation/public-url';
import { templatePreview, valueOption } from '../operations/templates/template-preview';
import { terminalCommand } from './support/command';
import {
  campaign,
  contact,
  OperationError,
  option,
  optional,
  type Session,
  template,
  text,
  workspace,
  why,
} from '../operations/definition';

/** Writes a preview to the file of `--out`, and returns its whole path. */
function writePreview(out: string, content: string | Buffer): string {
  const file = resolve(out);
  try {
    writeFileSync(file, content);
    return file;
  } catch (error) {
    const { message } = error as Error;
    throw new OperationError(
      why('unwritable', { label: '--out', file: printable(file), error: message }),
      'Give another one.',
    );
  }
}

function inboxOf({ config }: Session): string {
  const path = config.mtaUrl === null ? sandboxFileOf(config) : null;
  if (path !== null) return path;
  throw new OperationError(why('no_inbox'), 'Give --out <file>.', '--out');
}

/** `kurir campaign preview`. */
export const previewCampaign = terminalCommand('campaign.preview', {
  summary: 'show the mail that a contact, or a sample, would get: in a file, or in the inbox of the sandbox',
  arguments: {
    workspace,
    campaign,
    contact: optional({ ...contact, about: 'id or address; default: a sample without a name' }),
  },
  // A campaign alone, or with an address.
  withoutWorkspace: (given) => given.length === 1 || (given.length === 2 && String(given[1]).includes('@')),
  options: {
    out: option(
      '<file>',
      'the whole mail when the name ends in .eml, its HTML otherwise; replaces what is there',
      text(4_096),
    ),
  },
  examples: [
    ['campaign preview "Toko Melati" 12 budi@example.com --out promo.html', 'to open in a browser'],
    ['campaign preview "Toko Melati" 12 budi@example.com --out promo.eml', 'to open in a mail program'],
    ['campaign preview "Toko Melati" 12 --out promo.html', 'without a contact: merge tags show their fallbacks'],
    ['campaign preview "Toko Melati" 12 budi@example.com', 'in the inbox of the sandbox'],
  ],
  notes: `Nothing is sent or paid, and nothing is counted. Links are those of the content, without tracking; the links to unsubscribe
and to the page of the mail lead nowhere.`,
  handler: async ({ out, contact: given, ...input }, session) => {
    const { html } = input.campaign;
    if (html === null) throw refusalError({ reason: 'no_content' }, input.campaign);
    const inbox = out === undefined ? inboxOf(session) : null;
    const contact = given ?? SAMPLE_RECIPIENT;
    const domain = await domainOf(session.stores, input.campaign.domainId);
    const now = session.clock.now();
    const mail = previewMail(
      { workspace: input.workspace, domain, campaign: { ...input.campaign, html }, contact },
      { publicUrl: publicUrl(session), newId: makeNewId(session.clock), now },
    );
    const content = out === undefined || /\.eml$/i.test(out) ? mail : ((await htmlOf(mail)) ?? '');
    return {
      to: contact.email,
      sample: given === undefined,
      size: mail.length,
      file: out === undefined ? null : writePreview(out, content),
      inbox_id: inbox === null ? null : await putInInbox(inbox, mail, contact.email, now),
    };
  },
  text: ({ file, inbox_id: id }) =>
    file === null ? `Mail ${id} of the sandbox's inbox: kurir sandbox inbox ${id}\n` : `Written to ${file}\n`,
});

/** `kurir template preview`. */
export const previewOfTemplate = terminalCommand('template.preview', {
  summary: 'show what a message of a template would say; nothing is sent',
  arguments: { workspace, template },
  options: {
    var: valueOption,
    out: option('<file>', 'write the HTML to this file; replaces what is there', text(4_096)),
  },
  examples: [
    ['template preview Melati dikirim --var order_no=INV-17 --out dikirim-lihat.html', 'to open in a browser'],
  ],
  handler: async ({ template: of, var: given, out, ...input }, session) => {
    const shown = await templatePreview(of, input.workspace, given, session.clock.now());
    return { ...shown, file: out === undefined ? null : writePreview(out, shown.html) };
  },
  text: ({ subject, text: body, file }) => `Subject: ${subject}\n\n${file === null ? body : `Written to ${file}\n`}`,
});
