import { blockFaults, type BlockFault } from '../../schemas/campaigns/blocks';
import { CAMPAIGN } from '../../operations/campaigns/campaign';
import { AUDIENCE } from '../../operations/contacts/audience';
import type { Fault } from '../../operations/definition';
import { DOMAIN } from '../../operations/domains/domain';
import { reachText } from '../audiences/views';
import { formOf, sentOf, type FieldOptions } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { workspaceOf } from '../kit/workspace-scope';
import { Refused } from '../kit/perform';
import { action, fieldOf, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { imagesFor, uploadInto, type BlockImages } from './block-images';
import { blocksOf, changeBlocks, draftsOf, jsonOf, type DraftBlock } from './block-fields';
import { blocksView } from './block-views';
import { previewFrame } from './preview';
import type { ShownCampaign } from './views';

/** What the editor shows. */
interface Editing {
  /** Null: a campaign that is not stored yet. */
  id: string | null;
  values: Readonly<Record<string, unknown>>;
  /** Null: it is written as HTML. */
  blocks: readonly DraftBlock[] | null;
  fault?: Fault | null;
  /** What the stored blocks still need before they can be sent. */
  unwritten?: readonly BlockFault[];
  /** Why a file was not kept. */
  imageFault?: BlockImages['fault'];
}

/** A mail to begin with. */
const FIRST: readonly DraftBlock[] = ['heading', 'text', 'button'].map((kind) => ({ kind, fields: {}, columns: [] }));

async function fieldsOf(visit: Visit, isHtml: boolean) {
  const { t, base } = visit;
  const workspace = workspaceOf(visit);
  const [audiences, domains] = await Promise.all([
    visit.read(AUDIENCE.list, { workspace }),
    visit.read(DOMAIN.list, { workspace }),
  ]);
  // Those that can send come first: the first is chosen.
  const ready = domains.data.toSorted((a, b) => Number(b.status === 'active') - Number(a.status === 'active'));
  return {
    subject: { label: t.campaignsSubject },
    audience: {
      label: t.campaignsAudience,
      ...(audiences.data.length === 0 && {
        help: html`${t.campaignsNoAudience} <a href="${base}/audiences/new">${t.audiencesNew}</a>`,
      }),
      choices: audiences.data.map((of) => ({ value: of.id, label: `${of.name} (${reachText(visit, of)})` })),
    },
    domain: {
      label: t.campaignsDomain,
      choices: ready.map(({ id, domain }) => ({ value: id, label: domain })),
    },
    preheader: { label: t.campaignsPreheader, help: t.campaignsPreheaderHelp },
    from: { label: t.campaignsFrom, help: t.campaignsFromHelp },
    from_name: { label: t.campaignsFromName },
    reply_to: { label: t.campaignsReplyTo },
    ...(isHtml && { html: { label: t.campaignsHtml, lines: 'code' as const } }),
    text: { label: t.campaignsText, help: t.campaignsTextHelp, lines: 'text' },
  } satisfies Record<string, FieldOptions>;
}

const pathOf = ({ base }: Visit, id: string | null): string =>
  id === null ? `${base}/campaigns/new` : `${base}/campaigns/${id}/edit`;

/** The button that shows what is in the form, beside the one that stores it. */
const previewButton = ({ t, base, form }: Visit): Html =>
  html`<button class="plain" formaction="${base}/campaigns/preview" formtarget="preview" formnovalidate>
      ${t.previewShow}
    </button>
    <label for="f-contact">${t.previewContact}</label>
    <input id="f-contact" name="contact" type="email" value="${fieldOf(form, 'contact')}" />`;

async function blocksPart(
  visit: Visit,
  blocks: readonly DraftBlock[],
  { imageFault = null, unwritten = [] }: Editing,
): Promise<Html> {
  const images = await imagesFor(visit, blocks, imageFault);
  return html`<input type="hidden" name="body" value="blocks" />${blocksView(visit.t, blocks, images, unwritten)}`;
}

async function editor(visit: Visit, editing: Editing): Promise<Answer> {
  const { id, values, blocks, fault = null, imageFault = null } = editing;
  const { t, base } = visit;
  const path = pathOf(visit, id);
  const form = formOf(visit, {
    operation: id === null ? CAMPAIGN.create : CAMPAIGN.edit,
    fields: await fieldsOf(visit, blocks === null),
    to: path,
    button: id === null ? t.campaignsCreate : t.save,
    values,
    fault,
    more: blocks === null ? NOTHING : await blocksPart(visit, blocks, editing),
    buttons: previewButton(visit),
  });
  const title = id === null ? t.campaignsNew : t.campaignsEdit;
  const other =
    blocks === null
      ? ([`${path}?body=blocks`, t.blocksAsBlocks] as const)
      : ([`${path}?body=html`, t.blocksAsHtml] as const);
  const main = html`<h1>${title}</h1>
      <p class="soft"><a href="${other[0]}">${other[1]}</a> ${t.blocksSwitchNote} <a href="${base}/images">${t.imagesTitle}</a></p>
      <div class="split">${form}${previewFrame(visit, id === null ? null : `${base}/campaigns/${id}/preview`)}</div>`;
  return { kind: 'page', title, main, status: fault || imageFault ? 422 : 200, script: 'preview.js' };
}

/** The blocks of the form that was sent; null: it was one for HTML. */
const sentBlocks = ({ form }: Visit): DraftBlock[] | null =>
  fieldOf(form, 'body') === 'blocks' ? blocksOf(form) : null;

/** What the form asks to be stored. */
function written(visit: Visit) {
  const blocks = sentBlocks(visit);
  return { workspace: workspaceOf(visit), ...(blocks && { blocks: JSON.stringify(jsonOf(blocks)) }) };
}

/** The command of the button that sends the file of a block. */
const UPLOAD = 'upload ';

/** A button that changes the blocks: the form again, and nothing stored. Null: another button was pressed. */
async function changed(visit: Visit, id: string | null): Promise<Answer | null> {
  const command = fieldOf(visit.form, 'change');
  const blocks = sentBlocks(visit);
  if (command === '' || blocks === null) return null;
  const { blocks: next, fault } = command.startsWith(UPLOAD)
    ? await uploadInto(visit, blocks, command.slice(UPLOAD.length))
    : { blocks: changeBlocks(blocks, command), fault: null };
  if (!visit.isPart) return editor(visit, { id, values: sentOf(visit.form), blocks: next, imageFault: fault });
  return { kind: 'part', main: blocksView(visit.t, next, await imagesFor(visit, next, fault)) };
}

/** The page of the campaign, which says what to look at. */
const stored = ({ base, t }: Visit, { id }: { id: number }): Answer =>
  redirect(`${base}/campaigns/${id}`, t.campaignsSaved);

/**
 * The form again. What is wrong with a block stands at its field, and not as a place in the JSON that was made of it.
 */
function refused(visit: Visit, id: string | null, fault: Fault): Promise<Answer> {
  const blocks = sentBlocks(visit);
  const sent = { id, values: sentOf(visit.form), blocks };
  const unwritten = fault.field === 'blocks' && blocks ? blockFaults(jsonOf(blocks)) : [];
  if (unwritten.length === 0) return editor(visit, { ...sent, fault });
  return editor(visit, { ...sent, unwritten, fault: { ...fault, message: visit.t.blocksRefused } });
}

const create = action('/campaigns/new', 'editor', async (visit) => {
  const again = await changed(visit, null);
  if (again) return again;
  const done = await visit.submit(CAMPAIGN.create, written(visit));
  return done.ok ? stored(visit, done.json) : refused(visit, null, done.fault);
});

/** The fields that are empty in the form and are set back to their defaults, by their options. */
const CLEARED = { text: 'text', preheader: 'preheader', from: 'from', from_name: 'from-name', reply_to: 'reply-to' };

const edit = action('/campaigns/:id/edit', 'editor', async (visit) => {
  const id = visit.id;
  const again = await changed(visit, id);
  if (again) return again;
  const { form } = visit;
  const clear = Object.entries(CLEARED).flatMap(([field, option]) => (form.get(field)?.at(-1) === '' ? [option] : []));
  const done = await visit.submit(CAMPAIGN.edit, { ...written(visit), campaign: id, clear: clear.join(',') || null });
  // There is nothing to edit.
  if (!done.ok && done.fault.field === 'campaign') throw new Refused(done.fault);
  return done.ok ? stored(visit, done.json) : refused(visit, id, done.fault);
});

const showNew = screen('/campaigns/new', 'editor', (visit) =>
  editor(visit, { id: null, values: {}, blocks: visit.query['body'] === 'html' ? null : FIRST }),
);

/** As it was written, unless the other way is asked for. */
function bodyOf({ query }: Visit, { html: stored, blocks }: ShownCampaign): readonly DraftBlock[] | null {
  const wanted = query['body'] ?? (stored !== null && blocks === null ? 'html' : 'blocks');
  return wanted === 'html' ? null : blocks === null ? FIRST : draftsOf(blocks);
}

const showEdit = screen('/campaigns/:id/edit', 'editor', async (visit) => {
  const campaign = { workspace: workspaceOf(visit), campaign: visit.id };
  const of = await visit.read(CAMPAIGN.show, campaign);
  const values = { ...of, audience: of.audience_id, domain: of.domain_id, from: of.from_email };
  const unwritten = blockFaults(of.blocks ?? []);
  return editor(visit, { id: String(of.id), values, blocks: bodyOf(visit, of), unwritten });
});

export const EDITOR: readonly Screen[] = [showNew, create, showEdit, edit];
