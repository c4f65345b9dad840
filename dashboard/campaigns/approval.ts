import { html, NOTHING, type Html, type Piece } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, filledHtml, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { pathOf, type ShownCampaign } from './views';

/** How far the approval is, in a sentence. */
function stateOf({ t }: Visit, { approval }: ShownCampaign): Piece {
  if (!approval) return t.approvalNeeded;
  const when = { by: approval.by, time: time(t, approval.at) };
  return filledHtml(approval.state === 'given' ? t.approvalGiven : t.approvalAsked, when);
}

/** What the person may do about it. */
function acts(visit: Visit, of: ShownCampaign): Html {
  const { t, csrf } = visit;
  const act = (name: string, label: string, kind: 'plain' | 'main' | 'danger'): Html =>
    button(csrf, { to: `${pathOf(visit, of.id)}/${name}`, label, kind, fields: { seen: of.content_hash } });
  const { approval } = of;
  if (!mayHere(visit, 'owner')) {
    return approval === null && mayHere(visit, 'editor') ? act('ask', t.approvalAsk, 'plain') : NOTHING;
  }
  return html`${approval?.state !== 'given' && act('approve', t.approvalApprove, 'main')}${
    approval !== null && act('decline', t.approvalDecline, 'danger')
  }`;
}

/** Whether an owner agrees, and what the person can do about it; nothing where nobody has to. */
export function approvalView(visit: Visit, of: ShownCampaign): Html {
  const isOpen = of.status === 'draft' || of.status === 'scheduled';
  if (!visit.workspace?.campaignApproval || !isOpen) return NOTHING;
  return html`<h2>${visit.t.approvalTitle}</h2>
    <p>${stateOf(visit, of)}</p>
    <div class="acts">${acts(visit, of)}</div>`;
}
