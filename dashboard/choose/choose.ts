import { BASE } from '../kit/cookies';
import { html } from '../kit/html';
import { ofPerson, page, redirect, screen, type Screen } from '../kit/screen';

/** `/app`: the one workspace of the person, or what there is to choose from. */
const choose: Screen = ofPerson(
  screen('', 'viewer', async ({ services, access, t }) => {
    const all = (await services.engine.stores.workspaces.list()).filter(({ id }) => access.sees(id));
    const [only] = all;
    if (only && all.length === 1) return redirect(`${BASE}/w/${only.id}`);
    const list = all.map(
      ({ id, name }) =>
        html`<li class="card">
          <a href="${BASE}/w/${id}"><b>${name}</b></a>
        </li>`,
    );
    return page(
      t.chooseTitle,
      html`<h1>${t.chooseTitle}</h1>
        ${
          all.length === 0
            ? html`<p>${t.chooseNone}</p>`
            : html`<ul class="cards">
                ${list}
              </ul>`
        }`,
    );
  }),
);

export const CHOOSE: readonly Screen[] = [choose];
