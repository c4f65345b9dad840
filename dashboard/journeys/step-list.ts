import type { ShownStep as Step } from '../../operations/journeys/journey-view';
import { html, NOTHING, type Html } from '../kit/html';
import type { Texts } from '../texts/texts';
import { countsText, kindText, stepText } from './labels';

/** The steps in words, with the two ways of a branch below it; `more` stands behind each. */
export const stepList = (t: Texts, steps: readonly Step[], more: (step: Step) => Html = () => NOTHING): Html =>
  html`<ul class="steps">
    ${steps.map(
      (step) =>
        html`<li>
          <b>${step.step} · ${kindText(t, step.type)}</b> ${stepText(t, step)}
          <span class="soft">${countsText(t, step)}</span>${more(step)}${
            step.type === 'branch' && html`${way(t, t.yes, step.then, more)}${way(t, t.no, step.else, more)}`
          }
        </li>`,
    )}
  </ul>`;

const way = (t: Texts, answer: string, steps: readonly Step[], more: (step: Step) => Html): Html =>
  html`<div class="way">
    <b>${answer}</b>${steps.length === 0 ? html` <span class="soft">${t.journeysGoesOn}</span>` : stepList(t, steps, more)}
  </div>`;
