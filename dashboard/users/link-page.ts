import { html } from '../kit/html';
import { page, type Answer, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';

interface LinkOf {
  title: string;
  about: string;
  email: string;
  link: string;
  back: string;
  /** Whether one was mailed, too; left out where that was not asked for. */
  mailed?: boolean;
  /** The names of the passkeys that have ended with it. */
  ended?: readonly string[];
}

/** A link that works once: it is shown in the answer itself, and kept nowhere. */
export const linkPage = ({ t }: Visit, { title, about, email, link, back, mailed, ended = [] }: LinkOf): Answer =>
  page(
    title,
    html`<h1>${title}</h1>
      ${mailed !== undefined && html`<p>${filled(mailed ? t.usersMailed : t.usersNotMailed, { email })}</p>`}
      ${ended.length > 0 && html`<p>${filled(t.usersPasskeysEnded, { names: ended.join(', ') })}</p>`}
      <p>${filled(about, { email })}</p>
      <pre>${link}</pre>
      <p class="acts">
        <button class="plain" type="button" data-copy="${link}">${t.meCopy}</button> <a href="${back}">${t.back}</a>
      </p>`,
  );
