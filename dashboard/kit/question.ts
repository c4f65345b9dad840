import { readUrl } from '../../lib/read-url';
import type { Texts } from '../texts/texts';
import { html, NOTHING, type Html } from './html';
import { LABEL, QUESTION, SURE } from './components';
import { fieldOf, page, type Answer, type FormFields, type Screen, type Visit } from './screen';

/** An irreversible operation of which nobody has been asked yet. */
class Unasked extends Error {
  override readonly name = 'Unasked';
}

const isSure = (form: FormFields): boolean => fieldOf(form, SURE) === 'yes';

/** Throws, so that the question is answered, unless the form says that the person is sure. */
export function requireSure(form: FormFields, operation: string): void {
  if (!isSure(form)) throw new Unasked(operation);
}

/**
 * What the screen answers. Where its form asks first, and so before an irreversible operation, that is the question as
 * a page, for whoever has no script to show a dialog: nothing is done until it is answered.
 */
export async function asked(visit: Visit, screen: Screen, referer: string): Promise<Answer> {
  const { form } = visit;
  if (screen.method === 'GET') return screen.handle(visit);
  if (fieldOf(form, QUESTION) !== '' && !isSure(form)) return questionPage(visit, screen, referer);
  try {
    return await screen.handle(visit);
  } catch (error) {
    if (error instanceof Unasked) return questionPage(visit, screen, referer);
    throw error;
  }
}

/** Fields that the page sets itself. */
const OWN: ReadonlySet<string> = new Set(['_csrf', QUESTION, LABEL, SURE]);

async function questionPage(visit: Visit, screen: Screen, referer: string): Promise<Answer> {
  const { t, csrf, form } = visit;
  const facts = (await screen.facts?.(visit)) ?? NOTHING;
  const fields = [...form].flatMap(([name, texts]) => (OWN.has(name) ? [] : texts.map((text) => again(t, name, text))));
  const main = html`<h1>${t.sureTitle}</h1>
    <p>${fieldOf(form, QUESTION) || t.sureGeneric}</p>
    ${facts}
    <form class="fields" method="post">
      ${csrf}<input type="hidden" name="${SURE}" value="yes" />${fields}
      <p class="acts">
        <button class="danger">${fieldOf(form, LABEL) || t.sureYes}</button>
        <a class="button plain" href="${backTo(visit, referer)}">${t.sureBack}</a>
      </p>
    </form>`;
  return page(t.sureTitle, main);
}

/** A field that is sent again. A password is typed again: it is written into no page. */
const again = (t: Texts, name: string, text: string): Html =>
  name === 'password'
    ? html`<div>
        <label for="f-again">${t.surePassword}</label
        ><input id="f-again" name="password" type="password" autocomplete="current-password" required />
      </div>`
    : html`<input type="hidden" name="${name}" value="${text}" />`;

/** The page that the form was on, as far as the browser says so and it is one of ours. */
function backTo({ base }: Visit, referer: string): string {
  const from = readUrl(referer);
  const path = from ? from.pathname + from.search : '';
  return path.startsWith('/app/') ? path : base;
}
