import type { WrittenJourney } from '../../operations/journeys/journey-file-format';
import type { ShownStep as Step } from '../../operations/journeys/journey-view';
import { html, type Html } from '../kit/html';
import type { Texts } from '../texts/texts';
import { countsText, goalText, kindText, stepText } from './labels';

/** Sizes in pixels: a box, the space beside it, the way from one to the next, and from a branch to its two ways. */
const BOX = { width: 236, height: 66 };
const PILL = 34;
const BESIDE = 24;
const WAY = 26;
const FORK = 40;
/** An empty way of a branch. */
const EMPTY = 80;
const MARGIN = 12;
/** Characters that fit in a box. */
const FITS = 28;

/** A part of the drawing: it is entered at the middle of its top, and left at the middle of its bottom. */
interface Part {
  width: number;
  height: number;
  /** Draws it with the middle at `x`, from `y` down. */
  at(x: number, y: number): Html;
}

const cut = (text: string): string => ([...text].length > FITS ? `${[...text].slice(0, FITS - 1).join('')}…` : text);
const line = (...points: readonly (readonly [number, number])[]): Html =>
  html`<polyline points="${points.map((point) => point.join(',')).join(' ')}" />`;

const box = (t: Texts, step: Step): Part => ({
  ...BOX,
  at: (x, y) => {
    const left = x - BOX.width / 2;
    return html`<g class="step ${step.type}">
      <title>${kindText(t, step.type)}: ${stepText(t, step)}</title>
      <rect x="${left}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8" />
      <text x="${left + 12}" y="${y + 19}" class="kind">${step.step} · ${kindText(t, step.type)}</text>
      <text x="${left + 12}" y="${y + 38}">${cut(stepText(t, step))}</text>
      <text x="${left + 12}" y="${y + 57}" class="count">${countsText(t, step)}</text>
    </g>`;
  },
});

const pill = (text: string, kind: string): Part => ({
  width: BOX.width,
  height: PILL,
  at: (x, y) =>
    html`<g class="pill ${kind}">
      <title>${text}</title>
      <rect x="${x - BOX.width / 2}" y="${y}" width="${BOX.width}" height="${PILL}" rx="17" />
      <text x="${x}" y="${y + 22}" text-anchor="middle">${cut(text)}</text>
    </g>`,
});

/** One below the other. */
const stacked = (parts: readonly Part[]): Part => ({
  width: Math.max(EMPTY, ...parts.map(({ width }) => width)),
  height: parts.reduce((sum, { height }) => sum + height, 0) + WAY * Math.max(0, parts.length - 1),
  at: (x, y) => {
    let top = y;
    const drawn = parts.map((part, place) => {
      const way = place > 0 && line([x, top], [x, top + WAY]);
      if (place > 0) top += WAY;
      const here = html`${way}${part.at(x, top)}`;
      top += part.height;
      return here;
    });
    return html`${drawn}`;
  },
});

/** A branch: its question, and below it what follows a yes on the left, and a no on the right. */
function fork(t: Texts, step: Extract<Step, { type: 'branch' }>): Part {
  const question = box(t, step);
  const [yes, no] = [partOf(t, step.then), partOf(t, step.else)];
  const width = Math.max(BOX.width, yes.width + BESIDE + no.width);
  const deepest = Math.max(yes.height, no.height);
  const spare = (width - yes.width - BESIDE - no.width) / 2;
  return {
    width,
    height: BOX.height + FORK + deepest + FORK / 2,
    at: (x, y) => {
      const top = y + BOX.height;
      const first = top + FORK;
      const end = first + deepest + FORK / 2;
      const left = x - width / 2 + spare + yes.width / 2;
      const right = x + width / 2 - spare - no.width / 2;
      const way = (part: Part, middle: number, answer: string): Html =>
        html`${line([x, top], [x, top + FORK / 2], [middle, top + FORK / 2], [middle, first])}${part.at(middle, first)}${line(
          [middle, first + part.height],
          [middle, end],
          [x, end],
        )}<text x="${middle + 6}" y="${top + FORK - 5}" class="kind">${answer}</text>`;
      return html`${way(yes, left, t.yes)}${way(no, right, t.no)}${question.at(x, y)}`;
    },
  };
}

const partOf = (t: Texts, steps: readonly Step[]): Part =>
  stacked(steps.map((step) => (step.type === 'branch' ? fork(t, step) : box(t, step))));

/** What is drawn of a journey. */
interface Drawn {
  name: string;
  /** Who enters, in words. */
  enters: string;
  goal: WrittenJourney['goal'] | null;
  steps: readonly Step[];
}

/**
 * A journey as a drawing. It says the same as the list of its steps, which is beside it for those who cannot see it.
 */
export function drawing(t: Texts, journey: Drawn): Html {
  const whole = stacked([
    pill(journey.enters, 'start'),
    ...(journey.goal ? [pill(`${t.journeysGoal}: ${goalText(t, journey.goal)}`, 'goal')] : []),
    ...journey.steps.map((step) => (step.type === 'branch' ? fork(t, step) : box(t, step))),
    pill(t.journeysEnd, 'end'),
  ]);
  const [width, height] = [whole.width + 2 * MARGIN, whole.height + 2 * MARGIN];
  return html`<div class="flow" role="region" aria-label="${t.journeysDrawing}" tabindex="0">
    <svg
      role="img"
      aria-labelledby="flow-title flow-desc"
      width="${width}"
      height="${height}"
      viewBox="0 0 ${width} ${height}"
    >
      <title id="flow-title">${journey.name}</title>
      <desc id="flow-desc">${t.journeysDrawingSays}</desc>
      ${whole.at(width / 2, MARGIN)}
    </svg>
  </div>`;
}
