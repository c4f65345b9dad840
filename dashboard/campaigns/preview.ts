import { CAMPAIGN } from '../../operations/campaigns/campaign';
import type { AnswerOf } from '../../operations/definition';
import type { Done } from '../../operations/perform';
import { DRAFT_POLICY } from '../kit/guard';
import { html, NOTHING, type Html } from '../kit/html';
import { workspaceOf } from '../kit/workspace-scope';
import { action, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { blocksOf, jsonOf, type DraftBlock } from './block-fields';

/** The document of the frame: a mail, or why there is none. */
const framed = (body: string): Answer => ({ kind: 'file', type: 'html', body, policy: DRAFT_POLICY });
const said = (text: string): string => html`<!doctype html><meta charset="utf-8" /><p>${text}</p>`.text;

function rendered(done: Done<AnswerOf<typeof CAMPAIGN.render>>): Answer {
  if (!done.ok) return framed(said(done.fault.message));
  const { html: mail, text } = done.json;
  return framed(mail ?? said(text ?? ''));
}

const UNWRITTEN = '…';
const STAND_INS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  heading: { text: UNWRITTEN },
  text: { text: UNWRITTEN },
  footer: { text: UNWRITTEN },
  button: { label: UNWRITTEN, url: 'https://example.com/' },
};

/** The block with something in place of what is not written yet: the mail is looked at while it is written. */
function completed(block: DraftBlock): DraftBlock {
  const { kind, fields, columns } = block;
  if (kind === 'image' && !fields['url']) {
    return { kind: 'text', fields: { text: fields['alt'] || UNWRITTEN }, columns: [] };
  }
  const missing = Object.entries(STAND_INS[kind] ?? {}).filter(([name]) => !fields[name]);
  const all = { ...fields, ...Object.fromEntries(missing) };
  return { kind, fields: all, columns: columns.map((list) => list.map(completed)) };
}

/** What is in the form, stored or not. */
const ofForm = action('/campaigns/preview', 'editor', async (visit) => {
  const blocks = blocksOf(visit.form).map(completed);
  const written = blocks.length > 0 && { blocks: JSON.stringify(jsonOf(blocks)) };
  return rendered(await visit.submit(CAMPAIGN.render, { workspace: workspaceOf(visit), ...written }));
});

const ofStored = screen('/campaigns/:id/preview', 'viewer', async (visit) => {
  const input = { workspace: workspaceOf(visit), campaign: visit.id, contact: visit.query['contact'] || null };
  return rendered(await visit.perform(CAMPAIGN.render, input));
});

export const PREVIEWS: readonly Screen[] = [ofForm, ofStored];

/** The frame of the preview, as wide as on a desktop or on a phone. */
export const previewFrame = ({ t }: Visit, src: string | null): Html =>
  html`<section class="preview">
    <h2>${t.previewTitle}</h2>
    <p>
      <label><input type="radio" name="preview_width" value="wide" checked />${t.previewWide}</label>
      <label><input type="radio" name="preview_width" value="phone" />${t.previewPhone}</label>
    </p>
    <iframe class="mail" name="preview" title="${t.previewTitle}" sandbox ${src === null ? NOTHING : html` src="${src}"`}></iframe>
  </section>`;
