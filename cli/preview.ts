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
      'Use another one.',
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
  summary: 'render the email as a contact or a sample recipient would get it: to a file, or to the sandbox inbox',
  arguments: {
    workspace,
    campaign,
    contact: optional({ ...contact, about: 'contact id or email address; default: a sample without a name' }),
  },
  // A campaign alone, or with an address.
  withoutWorkspace: (given) => given.length === 1 || (given.length === 2 && String(given[1]).includes('@')),
  options: {
    out: option(
      '<file>',
      'the whole message if the name ends in .eml, otherwise its HTML; an existing file is replaced',
      text(4_096),
    ),
  },
  examples: [
    ['campaign preview "Toko Melati" 12 budi@example.com --out promo.html', 'to open in a browser'],
    ['campaign preview "Toko Melati" 12 budi@example.com --out promo.eml', 'to open in an email client'],
    ['campaign preview "Toko Melati" 12 --out promo.html', 'without a contact: merge tags use their fallbacks'],
    ['campaign preview "Toko Melati" 12 budi@example.com', 'in the sandbox inbox'],
  ],
  notes: `Nothing is sent, charged or counted. Links are not tracked; the unsubscribe link and the link to view the email in a
browser do not work.`,
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
    file === null ? `Message ${id} is in the sandbox inbox: kurir sandbox inbox ${id}\n` : `Written to ${file}\n`,
});

/** `kurir template preview`. */
export const previewOfTemplate = terminalCommand('template.preview', {
  summary: 'render a message of a template; nothing is sent',
  arguments: { workspace, template },
  options: {
    var: valueOption,
    out: option('<file>', 'write the HTML to this file; an existing file is replaced', text(4_096)),
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
